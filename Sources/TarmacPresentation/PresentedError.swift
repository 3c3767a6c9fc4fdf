public import TarmacCore

/// A failed call as its user is told of it.
@MainActor
public struct PresentedError {
    /// The two kinds of failure an app presents differently.
    public enum Kind: String, Sendable, CaseIterable {
        /// No usable answer came: no connection, TLS, a time limit, a connection or a body that broke off.
        case network
        /// The server answered, and the answer is a failure or not what was expected; or the call could not be made.
        case data
    }

    /// Which kind of failure it is.
    public let kind: Kind
    /// The failure, with everything ``TarmacError`` knows of it, after ``Options/mapError``.
    public let error: TarmacError
    /// The screen; `nil` for calls without owner and host, which are the whole app's.
    public let host: AnyObject?

    /// The sentence to show: the server's first, else one in English or simplified Chinese after the process's language
    /// .
    public var message: String { error.userMessage }

    /// The sentence in a given language; the server's wins.
    public func message(in language: UserMessageLanguage) -> String { error.userMessage(in: language) }
}

extension PresentedError: nonisolated CustomStringConvertible, nonisolated CustomReflectable {
    /// The kind and the error; never the host, whose fields are nobody's business.
    public nonisolated var description: String { "\(kind) error: \(error)" }
    public nonisolated var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension PresentedError.Kind {
    /// What a user is told of an error; `nil` for what is nobody's failure: the end of the client.
    static func of(_ error: TarmacError) -> PresentedError.Kind? {
        if error.code == .clientShutDown { return nil }
        return switch error.code.category {
        case .connection, .tls, .timeout, .message: .network
        case .rejected, .decoding, .redirect, .input, .application: .data
        }
    }
}
