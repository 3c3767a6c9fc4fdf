import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import TarmacCore

/// Why an entry was not sent the last time: durable, so it holds words and codes, no errors.
public struct OutboxFailure: Sendable, Hashable, Codable {
    /// What it means for the entry.
    public enum Kind: String, Sendable, Codable {
        /// It may pass: the entry is tried again.
        case passing
        /// The server or the chain refused it for good.
        case refused
        /// It may have passed in time, and ``OutboxRule/maximumAttempts`` are used up.
        case attemptsUsedUp
        /// It was not sent before its expiry.
        case expired
        /// It cannot be read: its key is gone, or it was damaged.
        case unreadable
        /// It was enqueued under another login than the one that is there now. It lets others pass.
        case otherLogin
    }

    public var kind: Kind
    /// The name of the error's ``TarmacError/Code``; empty for what has none.
    public var code: String
    /// The status, if the server answered.
    public var status: Int?
    /// What happened, in one English sentence.
    public var reason: String
    /// The code in the server's envelope or problem details.
    public var serverCode: String?
    /// The message in the server's envelope or problem details, 1,000 characters at most.
    public var serverMessage: String?
    /// When.
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
