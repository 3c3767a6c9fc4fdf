import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import TarmacCore

/// The reason why the last attempt of an entry failed. It is stored, so it holds text and codes, but no errors.
public struct OutboxFailure: Sendable, Hashable, Codable {
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

    init(_ kind: Kind, _ error: TarmacError, at date: Date) {
        self.init(kind, code: error.code.name, reason: error.reason, at: date)
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
