public import TarmacCore

/// A failed call in the form that a presenter receives.
@MainActor
public struct PresentedError {
    /// The two kinds of failure that an app presents differently.
    public enum Kind: String, Sendable, CaseIterable {
        /// No usable response arrived: no connection, failed TLS, an exceeded time limit, or a connection or body that
        /// was cut off.
        case network
        /// The response is a failure or not as expected, or the call could not be made.
        case data
    }

    /// The kind of failure.
    public let kind: Kind
    /// The error with its full context, after ``Options/mapError``.
    public let error: TarmacError
    /// The screen. `nil` for the whole app, which is the host of calls without an owner and a host.
    public let host: AnyObject?

    /// The message to show: the server's, or else one in English or simplified Chinese, by the language of the process.
    public var message: String { error.userMessage }

    /// Returns the message in a given language. The server's message takes precedence.
    public func message(in language: UserMessageLanguage) -> String { error.userMessage(in: language) }
}

extension PresentedError: nonisolated CustomStringConvertible, nonisolated CustomReflectable {
    /// The kind and the error, never the host, whose properties may be private.
    public nonisolated var description: String { "\(kind) error: \(error)" }
    public nonisolated var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension PresentedError.Kind {
    /// Returns the kind of an error for the user, or `nil` if the error is no failure, such as the shutdown of the
    /// client.
    static func of(_ error: TarmacError) -> PresentedError.Kind? {
        if error.code == .clientShutDown { return nil }
        return switch error.code.category {
        case .connection, .tls, .timeout, .message: .network
        case .rejected, .decoding, .redirect, .input, .application: .data
        }
    }
}
