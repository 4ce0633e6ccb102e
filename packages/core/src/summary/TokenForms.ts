/**
 * The forms of keys and tokens that their issuers gave a prefix, so that they are known wherever they stand.
 *
 * The forms are facts of the issuers; they were compared on 2026-12-03 with the rules of gitleaks
 * (https://github.com/gitleaks/gitleaks/blob/b58d3f1/config/gitleaks.toml, of 2026-07-22) and, where that has none,
 * with the issuer's own pages named beside them. Lengths are lower bounds: a key that was cut off is still one.
 *
 * @since 0.1.0
 */

/** What stands for a value, and the forms of such values. */
export interface TokenForms {
  readonly kind: string
  readonly forms: ReadonlyArray<string>
}

/** A value with a digit in it, which no word of prose or code has in that place. */
const digitIn = (units: number): string => `(?=[A-Za-z_.-]{0,${units}}[0-9])`

/** Each form begins with what no other text begins with; none may be ambiguous in how long it is. */
export const tokenForms: ReadonlyArray<TokenForms> = [
  {
    kind: "github-token",
    forms: ["gh[oprsu]_[A-Za-z0-9_]{16,}", "github_pat_[A-Za-z0-9_]{16,}"],
  },
  {
    kind: "gitlab-token",
    forms: [
      "gl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_.-]{16,}",
      "GR1348941[A-Za-z0-9_-]{16,}",
    ],
  },
  {
    kind: "aws-key",
    forms: [
      "A(?:KIA|SIA|KSIA|BIA|CCA)[A-Z0-9]{16,}",
      "ABSK[A-Za-z0-9+/]{60,}={0,2}",
      "bedrock-api-key-[A-Za-z0-9+/=]{16,}",
    ],
  },
  {
    kind: "slack-token",
    forms: [
      "xox[a-z](?:\\.xox[a-z])?-[A-Za-z0-9-]{10,}",
      "xapp-[0-9]-[A-Za-z0-9-]{10,}",
      "hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{20,}",
    ],
  },
  {
    // OpenAI's, Anthropic's and OpenRouter's begin with `sk-`, and are told from words by a pattern of their own.
    kind: "api-key",
    forms: [
      // Google: keys, and secrets and tokens of OAuth (https://developers.google.com/identity/protocols/oauth2).
      "AIza[A-Za-z0-9_-]{30,}",
      "GOCSPX-[A-Za-z0-9_-]{20,}",
      "ya29\\.[A-Za-z0-9_-]{20,}",
      // Stripe, Square, Shopify, Plaid.
      "[srp]k_(?:live|test|prod)_[A-Za-z0-9_]{8,}",
      "whsec_[A-Za-z0-9+/=]{16,}",
      "sq0(?:atp|csp)-[A-Za-z0-9_-]{20,}",
      "EAAA[A-Za-z0-9_-]{50,}",
      "shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{24,}",
      "access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f-]{16,}",
      // Registries of packages: npm, PyPI, RubyGems, Docker (https://docs.docker.com/security/access-tokens/).
      "npm_[A-Za-z0-9]{30,}",
      "pypi-[A-Za-z0-9_-]{50,}",
      "rubygems_[a-f0-9]{40,}",
      "dckr_(?:pat|oat)_[A-Za-z0-9_-]{16,}",
      // Models: Hugging Face, Perplexity, Groq, xAI, Replicate (each on its page of API keys).
      "(?:hf|api_org)_[A-Za-z]{30,}",
      "pplx-[A-Za-z0-9]{40,}",
      "gsk_[A-Za-z0-9]{40,}",
      "xai-[A-Za-z0-9]{60,}",
      "r8_[A-Za-z0-9]{30,}",
      // Mail and messages: SendGrid, Mailgun, Brevo, Twilio, Discord.
      "SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}",
      "key-[a-f0-9]{32}",
      "xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}",
      "SK[a-f0-9]{32}(?![A-Za-z0-9])",
      `[MNO]${digitIn(24)}[A-Za-z0-9_-]{23,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}(?![A-Za-z0-9_-])`,
      // Clouds and their data: DigitalOcean, Databricks, PlanetScale, Fly, Heroku, Alibaba, Pulumi, Vault.
      "do[opr]_v1_[a-f0-9]{40,}",
      "dapi[a-f0-9]{32}(?:-[0-9])?",
      "pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=.-]{20,}",
      "(?:fo1|fm1[ar]|fm2)_[A-Za-z0-9+/_-]{40,}={0,3}",
      "HRKU-[A-Za-z0-9_-]{40,}",
      "LTAI[A-Za-z0-9]{20}(?![A-Za-z0-9])",
      "pul-[a-f0-9]{40}",
      "hv[bs]\\.[A-Za-z0-9_-]{60,}",
      // Tools of teams: Atlassian, Linear, Notion, Airtable, Postman, Sentry, Grafana, New Relic, Dynatrace, Doppler, 1Password.
      "ATATT3[A-Za-z0-9_=-]{60,}",
      "lin_api_[A-Za-z0-9]{30,}",
      "ntn_[0-9]{11}[A-Za-z0-9]{30,}",
      "pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}",
      "PMAK-[a-f0-9]{24}-[a-f0-9]{34}",
      "sntry[su]_[A-Za-z0-9+/=_]{40,}",
      "glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}",
      "glc_[A-Za-z0-9+/]{32,}={0,3}",
      "NRAK-[A-Za-z0-9]{27}",
      "dt0c01\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{64}",
      "dp\\.pt\\.[A-Za-z0-9]{40,}",
      "ops_eyJ[A-Za-z0-9+/]{60,}={0,3}",
      "AGE-SECRET-KEY-1[A-Z0-9]{50,}",
    ],
  },
]

/** Forms that begin like any word: looked for only in a text that holds what they have in their middle. */
export const infixForms: ReadonlyArray<{ readonly holds: string; readonly form: RegExp }> = [
  // Secrets of clients of Microsoft Entra.
  { holds: "Q~", form: /(?<![A-Za-z0-9_~.])[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}/g },
  // Terraform.
  { holds: ".atlasv1.", form: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}/g },
  // Mailchimp.
  { holds: "-us", form: /(?<![A-Za-z0-9])[a-f0-9]{32}-us[0-9]{1,2}(?![A-Za-z0-9])/g },
  // Bots of Telegram.
  { holds: ":A", form: /(?<![A-Za-z0-9])(?:bot)?[0-9]{8,10}:A[A-Za-z0-9_-]{34}(?![A-Za-z0-9_-])/g },
]
