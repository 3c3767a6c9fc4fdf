import Foundation
import TarmacSupport
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCookies
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox
@testable import TarmacTransfer

extension ReaderFuzzTests {
    static let stores = [
        FuzzedReader("cookie-file", bytes: [cookieFile]) { bytes in
            let content = try CookieFileContent(bytes)
            _ = (try CookieFileContent.snapshot(of: content.cookies), CookieFileContent.dropping(100, of: content.cookies))
            let table = CookieTable(limits: CookieLimits(perDomain: 3)), url = try HTTPURL("https://a.example/b")
            for cookies in content.cookies.values { table.restore(cookies) }
            let field = table.field(for: url, at: date)
            for cookie in content.cookies.values.joined() { table.keep(cookie, isTrusted: false, at: date) }
            _ = (field, table.field(for: url, at: date), table.all.map(\.description))
        },
        FuzzedReader(text: "principal", ["1:s10:production3:ann7:account0:", "1:s1:e0:0:0:#authorization"]) { text in
            _ = (Principal.isText(text, of: "ann"), Principal.name(inText: text))
        },
        FuzzedReader("token-file", [#"{"value":"a","refreshToken":"b","expiry":800000000.5,"scope":"c","extras":{"d":"e"},"account":"f"}"#, #"{"value":"a"}"#])
        {
            bytes in
            let folder = "\(NSTemporaryDirectory())fuzzed-\(UUID().uuidString)", key = TokenKey(service: "s", environment: "e")
            guard FileDescriptor.makeFolder(folder) else { return }
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let path = "\(folder)/\(key.text).token"
            _ = FileManager.default.createFile(atPath: path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
            guard let token = try FileTokenStore(folder: folder).token(for: key) else { return }
            try FileTokenStore(folder: folder).save(token, for: key)
            _ = (token.description, try FileTokenStore(folder: folder).token(for: key).map { token.isSame(as: $0) })
        },
        FuzzedReader("oauth-answer", oauthAnswers) { bytes in
            for status in [HTTPResponse.Status.ok, .badRequest] {
                let response = Response(
                    status: status, headers: [.contentType: "application/json"], body: .bytes(Bytes(bytes)), url: try HTTPURL("https://a.example/token"))
                let answer = OAuthAnswer(response)
                _ = try? answer.token(after: AccessToken("old", refreshToken: "r"), now: date).description
            }
        },
        // A record that was found in a file, as the ledger hands it on.
        FuzzedReader("transfer-record", bytes: [transferRecord]) { bytes in
            let record = try JSONDecoder().decode(TransferRecord.self, from: Data(bytes))
            _ = (record.description, record.total, record.isUpload, record.download?.isSound, try JSONEncoder().encode(record))
        },
        FuzzedReader("outbox-content", bytes: outboxContents) { bytes in
            let entry = OutboxEntry(record(Bytes(bytes), failure: Bytes(bytes), []), OutboxCoder(sealer: nil))
            _ = (entry.description, entry.failure.map { "\($0)" }, entry.mutation.map { "\($0)" })
            guard let mutation = entry.mutation else { return }
            _ = (try OutboxCoder(sealer: nil).payload(of: mutation, entry.id, in: lane), OutboxCoder.fingerprint(lane, of: mutation))
        },
        // The numbers and dates of a row, by their bits.
        FuzzedReader("outbox-record", bytes: [Array(repeating: 0, count: 56), Array(repeating: 0x7F, count: 56), Array(repeating: 0xFF, count: 56)]) { bytes in
            let numbers = stride(from: 0, to: bytes.count - 7, by: 8).map { bytes[$0..<$0 + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
            try lend(record(.empty, failure: nil, numbers))
        },
    ]

    private static let date = Date(timeIntervalSince1970: 800_000_000)
    private static let lane = OutboxLane(service: "s", environment: "e", name: "l")

    private static let oauthAnswers = [
        #"{"access_token":"a","token_type":"Bearer","expires_in":3600,"refresh_token":"b","scope":"c"}"#, #"{"error":"invalid_grant"}"#,
    ]

    private static let transferRecord: [UInt8] = {
        var record = TransferRecord(key: String(repeating: "a", count: 64), request: "GET https://a.example/b", name: "b", started: date, total: 9)
        if let entity = try? JSONDecoder().decode(RangeEntity.self, from: Data(#"{"total":9}"#.utf8)) {
            record.download = .init(entity: entity, partial: "b.part", segments: [.init(start: 0, end: 9, partial: "b.part1")])
        }
        return (try? JSONEncoder().encode(record)).map { Array($0) } ?? []
    }()

    private static let cookieFile: [UInt8] = {
        let cookie = Cookie(
            name: "a", value: "b", domain: "a.example", path: "/", expires: date + 60, isHostOnly: false, isSecure: true, isHTTPOnly: true, sameSite: .lax,
            created: date, lastUsed: date)
        let changes = CookieChanges(principals: ["": [.set(cookie), .used(cookie)], "x": [.removed(cookie), .expired(cookie)]], date: date)
        return (try? CookieFileContent.snapshot(of: ["": [cookie]]) + CookieFileContent.line(of: changes)) ?? []
    }()

    private static let outboxContents: [[UInt8]] = {
        let coder = OutboxCoder(sealer: nil), id = OutboxEntry.ID(rawValue: "1")
        let mutation = OutboxMutation(
            endpoint: "E", tags: ["t"], idempotencyKey: "k", method: .post, target: "/a?b=c", host: .origin, headers: [.accept: "b"], contentType: "c",
            body: Bytes("body"))
        let failure = OutboxFailure(.refused, TarmacError(.unacceptableStatus, phase: .judging, "no"), at: date)
        let contents = [try? coder.payload(of: mutation, id, in: lane), try? coder.bytes(of: failure, in: record(.empty, failure: nil, []))]
        return contents.compactMap { $0?.array }
    }()

    private static func record(_ payload: Bytes, failure: Bytes?, _ numbers: [UInt64]) -> OutboxRecord {
        func count(_ place: Int) -> Int { place < numbers.count ? Int(truncatingIfNeeded: numbers[place]) : 0 }
        func date(_ place: Int) -> Date? { place < numbers.count ? Date(timeIntervalSince1970: Double(bitPattern: numbers[place])) : nil }
        return OutboxRecord(
            id: OutboxEntry.ID(rawValue: "1"), lane: lane, fingerprint: "f", payload: payload, isSealed: false, state: .waiting,
            created: date(2) ?? Self.date, expires: date(3), nextAttempt: date(4) ?? Self.date, notBefore: date(5), attempts: count(0), arrivals: count(1),
            failure: failure, leasedUntil: date(6), holdsLane: false)
    }

    /// Lends a record of a store, decides about a failure of it, and puts it back.
    private static func lend(_ record: OutboxRecord) throws {
        let store = MemoryOutboxStore()
        _ = try store.append([record], known: [], limit: 10)
        let policy = OutboxPolicy(rule: OutboxRule(), retryableCodes: [])
        for now in [date, .distantPast, record.nextAttempt] {
            let lease = OutboxLease(owner: "o", environment: "e", now: now, until: now + 60, count: 10, longestPause: .seconds(600))
            for record in store.lease(lease).records {
                let situation = OutboxPolicy.Situation(
                    attempts: record.attempts + 1, arrivals: record.arrivals, failure: TarmacError(.timeout, phase: .waiting, "no"), retryAfter: nil, now: now,
                    expires: record.expires, chance: 1)
                if case .postpone(let until, let notBefore, let arrivals) = policy.decide(situation) {
                    _ = record.settled(.postponed(.init(until: until, notBefore: notBefore, attempts: record.attempts + 1, arrivals: arrivals, failure: nil)))
                }
            }
            store.release(owner: "o")
        }
        _ = store.revive(OutboxFilter(), now: date)
    }
}
