/** Forms of secrets in use, made up here out of parts, and texts that look like them and are none. */
import { redact } from "@palimpsest/core"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const from = (units: string, length: number): string =>
  units.repeat(Math.ceil(length / units.length)).slice(0, length)

const mixed = (length: number): string => from("Ab3dEf9hJk2mNp7q", length)
const hex = (length: number): string => from("0a9f3c7e1b5d", length)
const letters = (length: number): string => from("aBcDeFgHiJkL", length)
const upper = (length: number): string => from("A2B3C4D5E6F7", length)
const digits = (length: number): string => from("1234567890", length)

/** A name of the form, what stands for it, and the secret. */
const secrets: ReadonlyArray<readonly [string, string, string]> = [
  ["OpenAI, of a project", "api-key", `sk-proj-${mixed(74)}T3BlbkFJ${mixed(74)}`],
  ["OpenAI, of a service", "api-key", `sk-svcacct-${mixed(58)}`],
  ["Anthropic", "api-key", `sk-ant-api03-${mixed(93)}AA`],
  ["OpenRouter", "api-key", `sk-or-v1-${hex(64)}`],
  ["Google", "api-key", `AIza${mixed(35)}`],
  ["Google, a client", "api-key", `GOCSPX-${mixed(28)}`],
  ["Google, an access token", "api-key", `ya29.${mixed(60)}`],
  ["AWS, an id", "aws-key", `AKIA${upper(16)}`],
  ["AWS, a temporary id", "aws-key", `ASIA${upper(16)}`],
  ["Bedrock", "aws-key", `ABSK${mixed(109)}=`],
  ["GitHub, classic", "github-token", `ghp_${mixed(36)}`],
  ["GitHub, of an app", "github-token", `ghs_${mixed(36)}`],
  ["GitHub, fine-grained", "github-token", `github_pat_${mixed(82)}`],
  ["GitLab", "gitlab-token", `glpat-${mixed(20)}`],
  ["GitLab, routable", "gitlab-token", `glpat-${mixed(27)}.01.${mixed(9)}`],
  ["GitLab, a runner", "gitlab-token", `glrt-${mixed(20)}`],
  ["GitLab, a job", "gitlab-token", `glcbt-64_${mixed(20)}`],
  ["GitLab, a registration", "gitlab-token", `GR1348941${mixed(20)}`],
  ["npm", "api-key", `npm_${mixed(36)}`],
  ["PyPI", "api-key", `pypi-AgEIcHlwaS5vcmc${mixed(60)}`],
  ["RubyGems", "api-key", `rubygems_${hex(48)}`],
  ["Docker", "api-key", `dckr_pat_${mixed(27)}`],
  ["Hugging Face", "api-key", `hf_${letters(34)}`],
  ["Groq", "api-key", `gsk_${mixed(52)}`],
  ["Perplexity", "api-key", `pplx-${mixed(48)}`],
  ["Replicate", "api-key", `r8_${mixed(37)}`],
  ["Stripe", "api-key", `sk_live_${mixed(24)}`],
  ["Stripe, restricted", "api-key", `rk_prod_${mixed(24)}`],
  ["Stripe, a webhook", "api-key", `whsec_${mixed(32)}`],
  ["Square", "api-key", `sq0atp-${mixed(22)}`],
  ["Shopify", "api-key", `shpat_${hex(32)}`],
  ["SendGrid", "api-key", `SG.${mixed(22)}.${mixed(43)}`],
  ["Mailgun", "api-key", `key-${hex(32)}`],
  ["Mailchimp", "api-key", `${hex(32)}-us12`],
  ["Brevo", "api-key", `xkeysib-${hex(64)}-${mixed(16)}`],
  ["Twilio", "api-key", `SK${hex(32)}`],
  ["Telegram", "api-key", `${digits(10)}:A${mixed(34)}`],
  ["Discord", "api-key", `M${mixed(24)}.${mixed(6)}.${mixed(38)}`],
  ["Slack, a bot", "slack-token", `xoxb-${digits(12)}-${digits(12)}-${mixed(24)}`],
  ["Slack, an app", "slack-token", `xapp-1-${upper(11)}-${digits(13)}-${hex(64)}`],
  ["Slack, a rotating one", "slack-token", `xoxe.xoxb-1-${upper(120)}`],
  ["Slack, a webhook", "slack-token", `hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${mixed(24)}`],
  ["Entra", "api-key", `${mixed(3)}8Q~${mixed(34)}`],
  ["DigitalOcean", "api-key", `dop_v1_${hex(64)}`],
  ["Databricks", "api-key", `dapi${hex(32)}-2`],
  ["PlanetScale", "api-key", `pscale_tkn_${mixed(43)}`],
  ["Fly", "api-key", `fm2_${mixed(100)}`],
  ["Heroku", "api-key", `HRKU-AA${mixed(58)}`],
  ["Pulumi", "api-key", `pul-${hex(40)}`],
  ["Vault", "api-key", `hvs.${mixed(92)}`],
  ["Terraform", "api-key", `${mixed(14)}.atlasv1.${mixed(67)}`],
  ["Atlassian", "api-key", `ATATT3${mixed(186)}`],
  ["Linear", "api-key", `lin_api_${mixed(40)}`],
  ["Notion", "api-key", `ntn_${digits(11)}${mixed(35)}`],
  ["Airtable", "api-key", `pat${mixed(14)}.${hex(64)}`],
  ["Postman", "api-key", `PMAK-${hex(24)}-${hex(34)}`],
  ["Sentry", "api-key", `sntryu_${hex(64)}`],
  ["Grafana", "api-key", `glsa_${mixed(32)}_${hex(8)}`],
  ["New Relic", "api-key", `NRAK-${mixed(27)}`],
  ["Dynatrace", "api-key", `dt0c01.${mixed(24)}.${mixed(64)}`],
  ["Doppler", "api-key", `dp.pt.${mixed(43)}`],
  ["age", "api-key", `AGE-SECRET-KEY-1${upper(58)}`],
]

const frames = [
  ["", ""],
  ["use ", " for it"],
  ['{"k":"', '"}'],
  ["(", ")."],
  ["https://x.test/v1/", "?a=1"],
  ["看", "了"],
] as const

describe("each form", () => {
  it.each(secrets)("of %s", (_, kind, secret) => {
    for (const [before, after] of frames) {
      const text = `${before}${secret}${after}`
      assert.strictEqual(redact(text), `${before}[redacted ${kind}]${after}`)
      assert.strictEqual(redact(redact(text)), redact(text))
    }
  })

  it("is gone without a trace wherever it stands", () => {
    const words = fc.stringMatching(/^[ \na-zäж漢.,;:()]{0,20}$/)
    fc.assert(
      fc.property(words, fc.constantFrom(...secrets), words, (before, [, , secret], after) => {
        const clean = redact(`${before} ${secret} ${after}`)
        return !clean.includes(secret.slice(-12)) && clean.startsWith(before) && clean.endsWith(after)
      }),
      { numRuns: 2000 },
    )
  })
})

describe("secrets by what stands before them", () => {
  const value = mixed(24)
  it.each([
    [`AWS_SECRET_ACCESS_KEY=${mixed(40)}`, "AWS_SECRET_ACCESS_KEY=[redacted value]"],
    [`DB_PASS=${value}`, "DB_PASS=[redacted value]"],
    [`AccountKey=${mixed(86)}==;x=1`, "AccountKey=[redacted value];x=1"],
    [`db:\n  password: ${value}\n  port: 1`, "db:\n  password: [redacted value]\n  port: 1"],
    [`X-Api-Key: ${value}`, "X-Api-Key: [redacted value]"],
    [`-H 'PRIVATE-TOKEN: ${value}'`, "-H 'PRIVATE-TOKEN: [redacted value]'"],
    [`GET /b?sp=r&sig=${value}%3D&v=1`, "GET /b?sp=r&sig=[redacted value]&v=1"],
    [`/o?X-Amz-Signature=${hex(64)}`, "/o?X-Amz-Signature=[redacted value]"],
    [`Cookie: sid=${value}; theme=dark`, "Cookie: [redacted cookie]"],
    [`Set-Cookie: sid=${value}; Path=/\nnext`, "Set-Cookie: [redacted cookie]\nnext"],
    [`curl -s -u bob:${value} https://x.test`, "curl -s -u bob:[redacted password] https://x.test"],
    [`redis://:${value}@db.test`, "redis://:[redacted password]@db.test"],
    ["card 4242 4242 4242 4242, 12/30", "card [redacted card], 12/30"],
    ["card 4242424242424242.", "card [redacted card]."],
    ["amex 3782-822463-10005", "amex [redacted card]"],
  ])("%s", (text, clean) => {
    assert.strictEqual(redact(text), clean)
    assert.strictEqual(redact(clean), clean)
  })
})

describe("what is no secret", () => {
  it.each([
    ["a commit", `fixed in ${hex(40)}`],
    ["a digest", `sha256:${hex(64)} and sha512-${mixed(86)}==`],
    ["ids", "8f14e45f-ceea-467f-a0e6-1c2d3e4f5a6b 01ARZ3NDEKTSV4RRFFQ69G5FAV call_abc123DEF456"],
    ["a name in a registry", "npm_config_registry and npm_package_json are set"],
    ["identifiers", "hf_hub_download_with_retries(SKU1234, keyOf, api_organisation, patSubmodule.path)"],
    ["a path", "/usr/share/pypi-mirror/key-store/gl-pattern/xapp/src/main.ts"],
    ["a module", "NotificationService.create.withDefaultConfigurationOfUser"],
    ["versions", "v1.0-rc.2, 2026.12.03, 10.0.0.1:8080"],
    ["times and numbers", "1764770000123, 1764770000123456, +44 20 7946 0958, 1234-5678-9012-3456"],
    ["a number with another last digit", "4242424242424243"],
    ["an order", "order 4242-4242-4242-42"],
    ["yaml without a secret", "token: required\npassword: string\nsecret: none\n"],
    ["a cookie to eat", "Set a cookie: chocolate chip. Cookies: 3"],
    ["tokens of a model", "max_tokens: 4000, tokens=120, total_tokens: 1234567"],
    ["an image", "data:image/png;base64,iVBORw0KGgo="],
    ["Ukrainian", "Пароль: скажу потім. Ключ: під килимком, номер 12345678."],
    ["Chinese", "密码：以后再说。密钥在地毯下面。"],
    ["Arabic", "كلمة المرور: لاحقا"],
    ["German", "Das Passwort: steht im Tresor. Kennwort: später"],
    ["English", "The secret: patience. The key: practice makes it 10 times better."],
  ])("%s", (_, text) => assert.strictEqual(redact(text), text))
})

describe("the time is linear in", () => {
  const M = 500_000
  it.each([
    ...[
      "npm_",
      "glpat-",
      "SG.Ab3dEf9hJk2mNp7qAb.",
      "xapp-1-",
      "hooks.slack.com/services/",
      "Ab38Q~",
      ":A",
      "-us",
    ],
    ...[
      "cookie: a=b;",
      "cookie: a=",
      "cookie: a=b; ",
      "curl -u ",
      "curl ",
      "x-api-key: ",
      "token: 1",
      "token: a",
    ],
    ...[
      "1234 ",
      "4242424242424242",
      "1234567812345678 ",
      "?sig=",
      "MAb3",
      "pat",
      "secret_",
      "token:1:",
      "a.atlasv1.",
    ],
  ])("a text of %j", (unit) => {
    const cost = (length: number): number => {
      const text = from(unit, length)
      const began = process.cpuUsage()
      redact(text)
      return process.cpuUsage(began).user / 1000
    }
    cost(M / 50)
    assert.isBelow(cost(M), 1500)
  })
})

describe("pieces of secrets in any order", () => {
  const piece = fc.constantFrom(
    ...["Cookie: a=b; c=d", "set-cookie: ", "sid=1234567890", "; ", "?sig=", `${mixed(17)}`, "x-api-key: "],
    ...[
      "4242 4242 4242 4242",
      "npm_",
      mixed(36),
      "curl -u ",
      "a:b ",
      "password: ",
      "token: ",
      "secret=",
      "_pass=",
    ],
    ...[
      "\n",
      "SG.",
      ".",
      "Q~",
      "bot123456789:A",
      "-us12",
      hex(32),
      "[redacted value]",
      "[redacted cookie]",
      " ",
    ],
    ...['"', "'", "://u:", "@h", "bearer ", "xoxb-", "hooks.slack.com/services/", "&", "=", "word", "{", "}"],
  )

  it("are redacted once and for all", () =>
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const once = redact(pieces.join(""))
        return redact(once) === once
      }),
      { numRuns: 5000 },
    ))
})
