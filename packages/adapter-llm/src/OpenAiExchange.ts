/**
 * One question to an OpenAI-compatible server, asked until it is answered or the bounds are reached.
 *
 * @since 0.1.0
 */
import { Effect, Redacted, Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { attempts, type Bounds } from "./Attempts.ts"
import {
  badStatus,
  type Endpoint,
  malformedKey,
  notOurProtocol,
  timedOut,
  unreachable,
} from "./OpenAiFailure.ts"

/**
 * Where the server is, and how patient to be.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiServer extends Bounds {
  /** Address up to and without `/chat/completions` or `/embeddings`, such as `https://api.openai.com/v1`. */
  readonly url: string
  /** Sent as a bearer token. Many local servers need none. */
  readonly key?: Redacted.Redacted<string>
}

/** A key that cannot be a header would be quoted in the runtime's complaint, so it never gets there. */
const isSendable = ({ key }: OpenAiServer): boolean =>
  key === undefined || /^[\x21-\x7e]+$/.test(Redacted.value(key))

const requestOf = ({ url, key }: OpenAiServer, { path }: Endpoint, body: unknown) => {
  const post = HttpClientRequest.post(`${url.replace(/\/+$/, "")}/${path}`).pipe(
    HttpClientRequest.acceptJson,
    HttpClientRequest.bodyJsonUnsafe(body),
  )
  return key === undefined ? post : HttpClientRequest.bearerToken(post, key)
}

const once = Effect.fnUntraced(function* <A, E>(
  client: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  endpoint: Endpoint,
  schema: Schema.Codec<A, E>,
) {
  const cut = Effect.mapError((error: Parameters<typeof unreachable>[1]) => unreachable(endpoint, error))
  const response = yield* cut(client.execute(request))
  if (response.status < 200 || response.status > 299) return yield* Effect.flip(badStatus(endpoint, response))
  const body = yield* cut(response.text)
  return yield* Effect.mapError(Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(body), () =>
    notOurProtocol(endpoint, body.length),
  )
})

/** Posts a body, and decodes the answer. The key is in no error, and goes to the server's address alone. */
export const exchange = Effect.fnUntraced(function* <A, E>(
  client: HttpClient.HttpClient,
  server: OpenAiServer,
  endpoint: Endpoint,
  schema: Schema.Codec<A, E>,
  body: unknown,
) {
  if (!isSendable(server)) return yield* malformedKey(endpoint).error
  const request = requestOf(server, endpoint, body)
  return yield* attempts(
    server,
    (limit) => timedOut(endpoint, limit),
    once(client, request, endpoint, schema),
  )
})
