import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// The reason why the last attempt of an entry failed. It is stored, so it holds text and codes, but no errors.
public struct OutboxFailure: Sendable {
    /// The meaning of the failure for the entry.
    public enum Kind: String, Sendable, Codable {
        /// It may be temporary: the entry is tried again.
        case passing
        /// The server or the chain refused the entry for good.
        case refused
        /// It may have been temporary, but ``OutboxRule/maximumAttempts`` attempts are used up.
        case attemptsUsedUp
        /// The entry was not sent before it expired.
        case expired
        /// The entry cannot be read: its key is missing, or it is damaged.
        case unreadable
        /// Another account than the one that is logged in now enqueued the entry. It does not hold its lane.
        case otherLogin
    }

    public var kind: Kind
    /// The name of the error's ``TarmacError/Code``; empty for an error without one.
    public var code: String
    /// The status of the response, if there was one.
    public var status: Int?
    /// A description of the failure, in one English sentence.
    public var reason: String
    /// The code in the server's envelope or problem details.
    public var serverCode: String?
    /// The message in the server's envelope or problem details, 1,000 characters at most.
    public var serverMessage: String?
    /// The date of the failure.
    public var date: Date
    /// The response that refused a dead letter, such as a 409 with the server's version; `nil` for other failures.
    ///
    /// ```swift
    /// let mine = try letter.endpoint(as: EditNote.self), theirs = try letter.failure?.response?.decode(as: Note.self)
    /// ```
    /// A stored one has the status, the media type and at most the first 64 KiB of the body. A store that is durable and
    /// not sealed keeps no body with the name of a secret, unless ``OutboxRule/allowsUnsealedSecrets`` is set.
    public internal(set) var response: ResponseSnapshot?
    /// The digest of the content on which the server may have acted in an attempt whose answer was lost; `nil` if none was.
    var unanswered: String?
    /// The number of attempts that ended with a conflict; `nil` for none.
    var conflicts: Int?

    init(_ kind: Kind, _ error: TarmacError, at date: Date) {
        self.init(kind, code: error.code.name, reason: error.reason, at: date)
        if kind != .passing { response = error.response }
        status = error.status?.code
        serverCode = error.serverCode.map { String($0.prefix(200)) }
        serverMessage = error.serverMessage.map { String($0.prefix(1_000)) }
    }

    init(_ kind: Kind, code: String = "", reason: String, at date: Date) {
        self.kind = kind
        self.code = code
        self.reason = reason
        self.date = date
    }
}

extension OutboxFailure: CustomStringConvertible {
    public var description: String { status.map { "\(kind.rawValue): \($0), \(reason)" } ?? "\(kind.rawValue): \(reason)" }
}

extension OutboxFailure: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, code, status, reason, serverCode, serverMessage, date, response, unanswered, conflicts
    }

    /// The stored form of a response.
    private struct Answer: Codable {
        var status: Int
        var type: String?
        var body: Data
        var isCut: Bool

        init(_ response: ResponseSnapshot) {
            (status, type, body) = (response.status.code, response.headers[.contentType], response.body.data)
            isCut = response.isTruncated
        }

        var response: ResponseSnapshot? {
            guard (100...999).contains(status) else { return nil }
            var headers = HTTPFields()
            if let field = type.flatMap({ try? HTTPField.checked("Content-Type", $0) }) { headers.append(field) }
            return ResponseSnapshot(status: HTTPResponse.Status(code: status), headers: headers, body: Bytes(body), isTruncated: isCut)
        }
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        kind = try fields.decode(Kind.self, forKey: .kind)
        code = try fields.decode(String.self, forKey: .code)
        status = try fields.decodeIfPresent(Int.self, forKey: .status)
        reason = try fields.decode(String.self, forKey: .reason)
        serverCode = try fields.decodeIfPresent(String.self, forKey: .serverCode)
        serverMessage = try fields.decodeIfPresent(String.self, forKey: .serverMessage)
        date = try fields.decode(Date.self, forKey: .date)
        // A damaged response does not hide the reason.
        response = (try? fields.decodeIfPresent(Answer.self, forKey: .response))?.response
        unanswered = try? fields.decodeIfPresent(String.self, forKey: .unanswered)
        conflicts = try? fields.decodeIfPresent(Int.self, forKey: .conflicts)
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(code, forKey: .code)
        try fields.encodeIfPresent(status, forKey: .status)
        try fields.encode(reason, forKey: .reason)
        try fields.encodeIfPresent(serverCode, forKey: .serverCode)
        try fields.encodeIfPresent(serverMessage, forKey: .serverMessage)
        try fields.encode(date, forKey: .date)
        try fields.encodeIfPresent(response.map(Answer.init), forKey: .response)
        try fields.encodeIfPresent(unanswered, forKey: .unanswered)
        try fields.encodeIfPresent(conflicts, forKey: .conflicts)
    }
}

extension OutboxFailure: Hashable {
    private var texts: [String?] { [kind.rawValue, code, status.map(String.init), reason, serverCode, serverMessage] }

    public static func == (one: OutboxFailure, other: OutboxFailure) -> Bool {
        one.texts == other.texts && one.date == other.date && one.response?.body == other.response?.body
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(texts)
        hasher.combine(date)
    }
}
