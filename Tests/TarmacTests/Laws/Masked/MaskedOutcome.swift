import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
import TarmacCore
import TarmacOutbox
import TarmacResumableUpload
import TarmacStreams
@testable import TarmacTransfer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The ways a call of the matrix goes.
enum MaskedOutcome: String, CaseIterable, Sendable {
    case landed, landedAsText, landedAsForm, status, problem, statusInWords, transport, timeout, decoding, notJSON, envelope, redirect, badRedirect, retry,
        failover, login, refresh, cacheHit, cancelled, batch, graph, stream, events, outbox, download, upload

    /// The bodies that make a difference.
    var bodies: [MaskedBody] {
        switch self {
        case .login, .refresh, .outbox, .download, .upload: [.none]
        case .cacheHit, .graph, .stream, .events, .failover, .retry: [.none, .json]
        default: MaskedBody.allCases
        }
    }

    private static let fields: HTTPFields = {
        var fields = HTTPFields()
        for (name, value) in Planted.fields("H") { fields.append(HTTPField(name: HTTPField.Name(name)!, value: value)) }
        for (number, shape) in Planted.shapes.enumerated() { fields.append(HTTPField(name: HTTPField.Name("X-Note-\(number)")!, value: shape)) }
        fields.append(HTTPField(name: .setCookie, value: "sid=\(Planted.mark)H0z; Path=/"))
        fields.append(HTTPField(name: HTTPField.Name("Link")!, value: "<https://s.example/next?\(Planted.query("l"))>; rel=next"))
        fields.append(HTTPField(name: .location, value: "https://s.example/made?\(Planted.query("l"))"))
        return fields
    }()
    private static let good = Planted.json("a", more: #""n":1,"#)

    /// A sentence of a server that repeats the secrets of a request.
    private static func echo(_ request: Request) -> String {
        let fields = request.headers.map { "\($0.name): \($0.value)" }.joined(separator: " ")
        let query = (request.url.query ?? "").split(separator: "&").map { $0.split(separator: "=").last.map(String.init) ?? "" }.joined(separator: ", ")
        // Parts of a multipart body are not looked into.
        let isRead = request.body.buffered?.isEmpty == false && MediaType(request.headers[.contentType])?.essence != "multipart/form-data"
        let body = isRead ? Planted.pairs("b").map(\.value).joined(separator: " or ") : ""
        return "no such thing: \(query); \(fields); \(body)"
    }

    private static func quoted(_ text: String) -> String { String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self) }

    func run(_ body: MaskedBody) async throws -> MaskedTrace {
        switch self {
        case .landed: return await MaskedRig(body) { _ in .json(Self.good, headers: Self.fields) }.send { try await $0.landed(for: $1) }
        case .landedAsText:
            let rig = MaskedRig(body) { .text(Self.echo($0), headers: Self.fields) }
            return await rig.send { client, _ in try await client.landed(for: rig.endpoint(InlineEndpoint<String>.get("/", as: String.self).landing)) }
        case .landedAsForm:
            let rig = MaskedRig(body) { _ in .bytes(Bytes(Planted.query("f")), contentType: "application/x-www-form-urlencoded", headers: Self.fields) }
            return await rig.send { client, _ in try await client.landed(for: rig.endpoint(InlineEndpoint<String>.get("/", as: String.self).landing)) }
        case .status: return await MaskedRig(body) { _ in .json(Self.good, status: .badRequest, headers: Self.fields) }.send { try await $0.send($1) }
        case .problem:
            return await MaskedRig(body) { request in
                var fields = Self.fields
                fields[.contentType] = "application/problem+json"
                let text = Self.quoted(Self.echo(request))
                return .bytes(Bytes(#"{"title":\#(text),"detail":\#(text)}"#), contentType: nil, status: .badRequest, headers: fields)
            }.send { try await $0.send($1) }
        case .statusInWords:
            return await MaskedRig(body) { .text(Self.echo($0), status: .badRequest, headers: Self.fields) }.send { try await $0.send($1) }
        case .transport:
            return await MaskedRig(body) {
                throw TarmacError(.connectionLost, phase: .waiting, "lost \($0.url.string) \(Self.echo($0))", cause: Foreign())
            }.send { try await $0.send($1) }
        case .timeout: return try await Self.timeout(MaskedRig(body, { $0.timeout = .seconds(5) }) { _ in .json("{}") })
        case .decoding:
            return await MaskedRig(body) { _ in .json(Planted.json("a", more: #""n":"one","#), headers: Self.fields) }.send { try await $0.send($1) }
        case .notJSON: return await MaskedRig(body) { _ in .json(Self.good + "oops", headers: Self.fields) }.send { try await $0.send($1) }
        case .envelope:
            return await MaskedRig(body, { $0.envelope = Envelope(success: { $0["ok"] == true }, code: "why", message: "message", payload: "data") }) {
                .json(#"{"ok":false,"why":"no","message":\#(Self.quoted(Self.echo($0)))}"#, headers: Self.fields)
            }.send { try await $0.send($1) }
        default: return try await runOn(body)
        }
    }

    // MARK: Several requests

    private func runOn(_ body: MaskedBody) async throws -> MaskedTrace {
        switch self {
        case .redirect:
            return await MaskedRig(body) {
                $0.url.path == "/again" ? .text(Self.echo($0), status: .badRequest) : .redirect(to: "/again?\(Planted.query("l"))", status: .temporaryRedirect)
            }.send { try await $0.send($1) }
        case .badRedirect:
            return await MaskedRig(body) { _ in .redirect(to: "https://user:\(Planted.mark)l0z@s.example/?\(Planted.query("l"))", status: .temporaryRedirect) }
                .send { try await $0.send($1) }
        case .retry:
            let rig = MaskedRig(body, { $0.retry = .exponential(maxAttempts: 2, base: .zero) { $0.allowsAnyMethod = true } }) {
                .text(Self.echo($0), status: .serviceUnavailable, headers: [.retryAfter: "0"])
            }
            return await rig.send { try await $0.send($1) }
        case .failover:
            let rig = MaskedRig(body, { $0.host = .cdn }) { request in
                if request.url.host == "cdn.example" { throw TarmacError(.connectionRefused, phase: .connecting, "no \(Self.echo(request))") }
                return .json(Self.good, headers: Self.fields)
            }
            return await rig.send { try await $0.landed(for: $1) }
        case .login:
            let kinds: [Authentication] = [
                .bearer("\(Planted.mark)t0z"), .basic(user: "u", password: "\(Planted.mark)t1z"), .apiKey("\(Planted.mark)t2z", header: "X-Lock"),
                .apiKey("\(Planted.mark)t3z", query: "lock"),
            ]
            var whole = MaskedTrace()
            for kind in kinds {
                whole.add(
                    await MaskedRig(body, { $0.authenticator = kind }) { .text(Self.echo($0), status: .badRequest) }.send { client, _ in
                        try await client.send(InlineEndpoint<Number>.get("/plain", as: Number.self))
                    })
            }
            return whole
        case .refresh: return await Self.refresh(body)
        case .cacheHit:
            var fields = Self.fields
            fields[.cacheControl] = "max-age=60"
            let kept = fields
            let rig = MaskedRig(body, { ($0.cache, $0.cacheStore) = (.http, .memory) }) { _ in .json(Self.good, headers: kept) }
            return await rig.send { client, endpoint in
                _ = try await client.landed(for: endpoint)
                let again = try await client.landed(for: endpoint)
                return [again, try await client.cache.entries()] as [Any]
            }
        case .cancelled:
            let rig = MaskedRig(body) { _ in .json(Self.good) }
            rig.stub.hold()
            return await rig.send { client, endpoint in
                let call = Task { try await client.send(endpoint) }
                try await rig.stub.received()
                call.cancel()
                return try await call.value
            }
        default: return try await runTogether(body)
        }
    }

    private static func timeout(_ rig: MaskedRig) async throws -> MaskedTrace {
        rig.stub.hold()
        return await rig.send { client, endpoint in
            let call = Task { try await client.send(endpoint) }
            try await rig.stub.received()
            try await rig.time.hasSleepers()
            rig.time.advance(by: .seconds(6))
            return try await call.value
        }
    }

    private static func refresh(_ body: MaskedBody) async -> MaskedTrace {
        let store = MemoryTokenStore([
            TokenKey(service: "s", environment: "production"): AccessToken("\(Planted.mark)t4z", refreshToken: "\(Planted.mark)t5z")
        ])
        let client = OAuthClient(id: "app", secret: "\(Planted.mark)t6z")
        let rig = MaskedRig(body, { $0.authenticator = .oauth(tokenURL: "https://s.example/token", client: client, store: store) }) { request in
            if request.url.path == "/token" {
                return .json(#"{"access_token":"\#(Planted.mark)t7z","refresh_token":"\#(Planted.mark)t8z","token_type":"Bearer"}"#)
            }
            let isNew = request.headers[.authorization]?.contains("t7z") == true
            return .text(echo(request), status: isNew ? .badRequest : .unauthorized, headers: fields)
        }
        return await rig.send { client, _ in try await client.send(InlineEndpoint<Number>.get("/plain", as: Number.self)) }
    }

    // MARK: Groups, streams, files

    private func runTogether(_ body: MaskedBody) async throws -> MaskedTrace {
        switch self {
        case .batch:
            return await MaskedRig(body) { .text(Self.echo($0), status: .badRequest) }.send { client, endpoint in
                try await client.send(Batch(allOrNothing: [endpoint, endpoint]))
            }
        case .graph:
            return await MaskedRig(body) { .text(Self.echo($0), status: .badRequest) }.send { client, endpoint in
                var graph = RequestGraph()
                let first = graph.add(endpoint, named: "first")
                graph.add(after: first, named: "second") { _ in endpoint }
                let flown = try await client.send(graph)
                return [graph, flown, flown.failures] as [Any]
            }
        case .stream:
            let rig = MaskedRig(body) { _ in .chunks([Self.good], headers: Self.fields) }
            return await rig.send { client, endpoint in
                let shown = Watched<[String]>([])
                try await client.stream(endpoint) { response in
                    shown.update { $0 += Shown.texts(response) }
                    for try await _ in response.body {}
                }
                return shown.value
            }
        case .events:
            let rig = MaskedRig(body) { .text(Self.echo($0), status: .badRequest, headers: Self.fields) }
            return await rig.send { client, endpoint in
                for try await event in client.events(endpoint) { return event }
                return "none"
            }
        case .outbox: return await Self.outbox(body)
        default:
            return try await withFolder { folder in await self == .upload ? Self.upload(body, folder) : Self.download(body, folder) }
        }
    }

    private static func outbox(_ body: MaskedBody) async -> MaskedTrace {
        let rig = MaskedRig(body) { .text(echo($0), status: .badRequest, headers: fields) }
        return await rig.send { client, _ in
            let outbox = try Outbox(client: client, store: MemoryOutboxStore(), rule: OutboxRule { $0.allowsUnsealedSecrets = true })
            var shown: [Any] = [outbox]
            // A credential in a header field or in the path is refused.
            do { try await outbox.enqueue(rig.endpoint) } catch { shown.append(error) }
            let pairs = Planted.pairs("b").map { Parameter($0.name, .string($0.value), placement: .field) }
            let query = Planted.pairs("q").map { Parameter($0.name, .string($0.value), placement: .query) }
            try await outbox.enqueue(InlineEndpoint<Void>.post("/things", ParameterList(pairs + query)))
            shown.append(try await outbox.entries())
            outbox.start()
            await outbox.waitUntilIdle()
            let entries = try await outbox.entries()
            shown += [entries, entries.map(\.failure) as Any, entries.map(\.mutation) as Any]
            await outbox.shutdown()
            return shown
        }
    }

    private static func download(_ body: MaskedBody, _ folder: String) async -> MaskedTrace {
        let ledger = TransferLedger(MemoryTransferStore())
        let rig = MaskedRig(.none, { ($0.transferLedger, $0.resume) = (ledger, .automatic { $0.maxBarrenAttempts = 0 }) }) { _ in
            let broken = AsyncThrowingStream<Bytes, any Error> { stream in
                stream.yield(Bytes("some"))
                stream.finish(throwing: TarmacError(.connectionLost, phase: .receiving, "cut"))
            }
            return .stream(ByteStream(broken), headers: [.contentLength: "9", .eTag: "\"1\"", .acceptRanges: "bytes"])
        }
        return await rig.send { client, endpoint in
            let error = await failure { try await client.send(Download(endpoint, to: "\(folder)/file")) }
            return [error as Any, try await ledger.unfinished()] as [Any]
        }
    }

    private static func upload(_ body: MaskedBody, _ folder: String) async -> MaskedTrace {
        let rig = MaskedRig(.none) { .text(echo($0), status: .badRequest, headers: fields) }
        let path = "\(folder)/file"
        try? Data("x".utf8).write(to: URL(fileURLWithPath: path))
        return await rig.send { client, endpoint in
            var endpoint = endpoint
            endpoint.route = .put("/things/{door}")
            return try await client.send(Upload(.file(path), to: endpoint, by: .tus))
        }
    }
}

extension MaskedTrace {
    mutating func add(_ other: MaskedTrace) {
        client = other.client
        errors += other.errors
        events += other.events
        lines += other.lines
        requests += other.requests
        previews += other.previews
        explanations += other.explanations
        cassettes += other.cassettes
        hooks += other.hooks
        logs += other.logs
        results += other.results
    }
}
