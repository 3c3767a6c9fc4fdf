import HTTPTypes
import TarmacJSON
import TarmacCore
import TarmacDigest
import TarmacResilience
import TarmacResumableUpload
import TarmacTransfer

/// Converts the content of an entry to the bytes that a store keeps, sealed if there is a sealer, and back (pure except
/// for randomness).
struct OutboxCoder: Sendable {
    let sealer: (any Sealer)?

    /// The kind of the bytes, which binds them: bytes of one entry cannot replace those of another.
    private enum Part: String {
        case mutation, failure, body
    }

    // MARK: Mutations

    func payload(of mutation: OutboxMutation, _ id: OutboxEntry.ID, in lane: OutboxLane) throws -> Bytes {
        let head = try TarmacJSONEncoder().encodeBytes(OutboxHead(mutation))
        let length = UInt32(head.count)
        // An earlier version must not read the body as empty, or send an upload as one request.
        let version = mutation.upload != nil ? Self.uploadVersion : mutation.file == nil ? Self.version : Self.fileVersion
        var bytes: [UInt8] = [version] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> UInt32($0)) }
        bytes.reserveCapacity(bytes.count + head.count + mutation.body.count)
        bytes += head
        mutation.body.withUnsafeBytes { bytes.append(contentsOf: $0) }
        return try sealed(Bytes(bytes), context(.mutation, id, lane))
    }

    /// Returns the mutation in a record. Throws `TarmacError` with `.unknownKey` or `.decryptionFailed`, and
    /// `.storeFailed` for damaged bytes.
    func mutation(in record: OutboxRecord) throws -> OutboxMutation {
        let bytes = try opened(record.payload, .mutation, record).array
        guard bytes.count >= 5, (Self.version...Self.uploadVersion).contains(bytes[0]) else { throw damaged(record) }
        let length = bytes[1..<5].reduce(0) { $0 << 8 | Int($1) }
        guard (0...bytes.count - 5).contains(length) else { throw damaged(record) }
        let body = Bytes(Array(bytes[(5 + length)...]))
        // The cause could quote the content, so it is left out.
        guard let head = try? TarmacJSONDecoder().decode(OutboxHead.self, from: Array(bytes[5..<5 + length])), let mutation = head.mutation(body) else {
            throw damaged(record)
        }
        return mutation
    }

    /// Whether a record may hold a resumable upload. It does not open what is sealed.
    func mayBeUpload(_ record: OutboxRecord) -> Bool { record.isSealed || record.payload.first == Self.uploadVersion }

    // MARK: Bodies

    /// Returns a piece of a body in a file, sealed and bound to its position.
    func sealedPiece(_ piece: Bytes, number: Int, _ id: OutboxEntry.ID, in lane: OutboxLane) throws -> Bytes {
        try sealed(piece, context(.body, id, lane, "\(number)"))
    }

    func openedPiece(_ sealed: Bytes, number: Int, _ id: OutboxEntry.ID, in lane: OutboxLane) throws -> Bytes {
        guard let sealer else { throw unsealable(id) }
        return try sealer.open(sealed, context: context(.body, id, lane, "\(number)"))
    }

    // MARK: Failures

    /// Returns the bytes of a failure, sealed if the entry is: the server's text may be as secret as the request.
    func bytes(of failure: OutboxFailure, in record: OutboxRecord) throws -> Bytes {
        let bytes = Bytes(try TarmacJSONEncoder().encodeBytes(failure))
        return record.isSealed ? try sealed(bytes, context(.failure, record.id, record.lane)) : bytes
    }

    func failure(in record: OutboxRecord) -> OutboxFailure? {
        guard let bytes = record.failure, let opened = try? opened(bytes, .failure, record) else { return nil }
        return try? TarmacJSONDecoder().decode(OutboxFailure.self, from: opened.array)
    }

    /// Whether the server may have acted on the present content in an attempt whose answer was lost.
    func isUnanswered(_ record: OutboxRecord) -> Bool {
        // An attempt without a failure has ended with its process.
        if record.failure == nil { return record.arrivals > 0 }
        return failure(in: record)?.unanswered.map { $0 == Self.digest(of: record) } ?? false
    }

    /// Returns a text that differs for content that was edited.
    static func digest(of record: OutboxRecord) -> String { Hexadecimal.text(PublicHash.hash(record.payload.array)) }

    // MARK: Entries

    /// Returns text that identifies lane, account and key. The same key in another lane or account is another mutation.
    static func fingerprint(_ lane: OutboxLane, of mutation: OutboxMutation) -> String {
        let account = mutation.account.map { "account \($0.utf8.count):\($0)" } ?? ""
        return Hexadecimal.text(
            PublicHash.hash("\(account)\(lane.environment.utf8.count):\(lane.environment)\(lane.text)\(mutation.idempotencyKey)".utf8))
    }

    private static let version: UInt8 = 1
    private static let fileVersion: UInt8 = 2
    private static let uploadVersion: UInt8 = 3

    private func sealed(_ bytes: Bytes, _ context: Bytes) throws -> Bytes { try sealer?.seal(bytes, context: context) ?? bytes }

    private func opened(_ bytes: Bytes, _ part: Part, _ record: OutboxRecord) throws -> Bytes {
        guard record.isSealed else { return bytes }
        guard let sealer else { throw unsealable(record.id) }
        return try sealer.open(bytes, context: context(part, record.id, record.lane))
    }

    /// Returns the context of sealed bytes. It includes the lane, which is stored unsealed and determines who sends the
    /// entry.
    private func context(_ part: Part, _ id: OutboxEntry.ID, _ lane: OutboxLane, _ place: String = "") -> Bytes {
        Bytes("tarmac outbox\n\(part.rawValue)\(place)\n\(id.rawValue)\n\(lane.environment.utf8.count):\(lane.environment)\(lane.text)")
    }

    private func unsealable(_ id: OutboxEntry.ID) -> TarmacError {
        TarmacError(
            .unknownKey, "the outbox entry \(id) is sealed, and there is no sealer", suggestion: "give the outbox the sealer it was made with")
    }

    private func damaged(_ record: OutboxRecord) -> TarmacError { TarmacError(.storeFailed, "the outbox entry \(record.id) is damaged") }
}

/// The JSON of a mutation without its body. Names are short because they are stored with each entry.
private struct OutboxHead: Codable {
    var e: String
    var g: [String]
    var k: String
    var m: String
    var t: String
    var h: String
    var f: [[String]]
    var c: String?
    var s: [String]
    var b: Bool
    var p: Bool
    /// `nil` in entries of earlier versions.
    var a: String?
    /// The size of a body in a file, and whether it is sealed; `nil` for a body in the entry.
    var x: Int64?
    var y: Bool?
    /// The protocol of a resumable upload, and the name of its file; `nil` for other calls.
    var u: StoredUploadProtocol?
    var n: String?
    /// The stored responses that the call makes stale; `nil` for none.
    var o: [String]?
    /// The endpoint as JSON, if the body does not say it.
    var v: String?
    /// Whether endpoint or call named the principal; `nil` for no.
    var i: Bool?

    init(_ mutation: OutboxMutation) {
        e = mutation.endpoint
        g = mutation.tags.map(\.name).ordered()
        k = mutation.idempotencyKey
        m = mutation.method.rawValue
        t = mutation.target
        h = mutation.host.name
        f = mutation.headers.map { [$0.name.rawName, $0.value] }
        c = mutation.contentType
        s = mutation.secrets.names.ordered()
        b = mutation.secrets.isBody
        p = mutation.hidesPath
        a = mutation.account
        x = mutation.file?.size
        y = mutation.file?.isSealed
        u = (mutation.upload?.settings).map(StoredUploadProtocol.init)
        n = mutation.upload?.name
        o = mutation.makesStale.isEmpty ? nil : mutation.makesStale
        v = mutation.fields.map { String(decoding: $0.array, as: UTF8.self) }
        i = mutation.isOwnPrincipal ? true : nil
    }

    func mutation(_ body: Bytes) -> OutboxMutation? {
        guard let method = HTTPRequest.Method(m), x.map(OutboxMutation.File.sizes.contains) ?? true else { return nil }
        var headers = HTTPFields()
        for field in f {
            guard field.count == 2, let checked = try? HTTPField.checked(field[0], field[1]) else { return nil }
            do { try headers.add(checked) } catch { return nil }
        }
        var upload: OutboxMutation.Upload?
        if let u {
            guard let settings = u.settings, (try? settings.check()) != nil else { return nil }
            upload = OutboxMutation.Upload(settings: settings, name: n ?? "")
        }
        return OutboxMutation(
            endpoint: e, tags: Set(g.map { CallTag($0) }), idempotencyKey: k, method: method, target: t, host: .named(h), headers: headers,
            contentType: c, body: body, account: a, secrets: Request.Secrets(names: Set(s), isBody: b), hidesPath: p,
            file: x.map { OutboxMutation.File(size: $0, isSealed: y ?? false) }, upload: upload, makesStale: o ?? [], fields: v.map { Bytes($0) },
            isOwnPrincipal: i ?? false)
    }
}
