public import TarmacCore

/// The way in which a service's calls authenticate: the value of ``Options/authenticator``.
///
/// ```swift
/// $0.authenticator = .bearer("…")
/// $0.authenticator = .basic(user: "ann", password: "…")
/// $0.authenticator = .apiKey("…", header: "X-API-Key")
/// $0.authenticator = .oauth(tokenURL: "/oauth/token", client: OAuthClient(id: "app"), store: FileTokenStore(folder: "tokens"))
/// $0.authenticator = .init(ShopAuthenticator(), store: FileTokenStore(folder: "tokens"))
/// $0.authenticator = .off
/// ```
/// Credentials are sent only to the service's own origins. An `Authorization` field of the call itself takes
/// precedence.
public struct Authentication: Sendable {
    enum Kind: Sendable {
        case off
        /// The same credentials with every request.
        case fixed(any FixedCredentials)
        case tokens(any Authenticator, (any TokenStore)?)
        case digest(DigestCredentials)
    }

    /// The identity of an authenticator. One that an endpoint creates for each call is a new object with the same name.
    final class Source: Sendable {
        let kind: Kind
        init(_ kind: Kind) { self.kind = kind }
    }
    let source: Source
    var kind: Kind { source.kind }

    init(_ kind: Kind) { source = Source(kind) }

    /// No credentials, for example for the calls that log in.
    public static let off = Authentication(.off)

    /// Creates an authentication with tokens that an authenticator gets and refreshes.
    ///
    /// - Parameters:
    ///   - authenticator: the authenticator.
    ///   - store: the store that keeps tokens beyond the life of the client. Default: `nil`, tokens are not stored.
    public init(_ authenticator: some Authenticator, store: (any TokenStore)? = nil) { self.init(.tokens(authenticator, store)) }
}

extension Authentication {
    /// Returns an authentication that sends `Authorization: Bearer …` with a token that is never refreshed (RFC 6750
    /// §2.1).
    public static func bearer(_ token: String) -> Authentication { fixed { () throws(TarmacError) in try BearerCredentials(token) } }

    /// Returns an authentication that sends `Authorization: Basic …` in UTF-8 (RFC 7617).
    ///
    /// If the user name contains a colon or a control character, calls throw `TarmacError(.invalidOption)`.
    ///
    /// The user name and the password are sent unchanged, because FoundationEssentials cannot compose characters.
    /// Outside ASCII, pass them in normal form C (RFC 7617 §2.1), as Foundation's
    /// `precomposedStringWithCanonicalMapping` returns it.
    public static func basic(user: String, password: String) -> Authentication {
        fixed { () throws(TarmacError) in try BasicCredentials(user: user, password: password) }
    }

    /// Returns an authentication that sends a key in a header field. The key is masked wherever it is shown.
    ///
    /// If the key is empty or cannot be a field's value, calls throw `TarmacError(.invalidOption)`.
    public static func apiKey(_ key: String, header: String) -> Authentication {
        fixed { () throws(TarmacError) in try HeaderKey(header, key) }
    }

    /// Returns an authentication that sends a key in the query. The key is masked wherever it is shown. Servers,
    /// proxies and histories record URLs, so prefer a header field if the server accepts one.
    ///
    /// If the key or the name is empty, calls throw `TarmacError(.invalidOption)`.
    public static func apiKey(_ key: String, query name: String) -> Authentication {
        fixed { () throws(TarmacError) in try QueryKey(name, key) }
    }

    private static func fixed(_ make: () throws(TarmacError) -> any FixedCredentials) -> Authentication {
        do { return Authentication(.fixed(try make())) } catch { return Authentication(.fixed(UnusableCredentials(error: error))) }
    }
}

extension Authentication {
    /// Whether calls pass the AUTH stage, where they may wait for a token and be sent again.
    var hasSession: Bool {
        switch kind {
        case .off, .fixed: false
        case .tokens, .digest: true
        }
    }

    var isOff: Bool { if case .off = kind { true } else { false } }

    var fixed: (any FixedCredentials)? { if case .fixed(let credentials) = kind { credentials } else { nil } }

    /// The names of fields and parameters to mask, in addition to the standard ones.
    var secretNames: Set<String> { fixed?.secretNames ?? [] }

    /// The reason why the authentication is invalid, or `nil`.
    var fault: String? {
        switch kind {
        case .fixed(let credentials): credentials.fault
        case .tokens(let authenticator, _): (authenticator as? OAuthAuthenticator)?.client.fault ?? authenticator.refreshRule.fault
        case .digest(let credentials): credentials.fault
        case .off: nil
        }
    }

    /// The part of the session key that distinguishes sessions of one service. It is never shown. Calls of another user
    /// must not use these credentials.
    var sessionName: String {
        // With the length of the name, which may contain a colon.
        if case .digest(let credentials) = kind { return "Digest \(credentials.user.utf8.count) \(credentials.user):\(credentials.password)" }
        return name
    }

    /// The user and the password of Digest, or `nil` for another authentication. The user alone identifies no caller: another call may name the same
    /// one with a password that the server refuses.
    var identity: String? { if case .digest = kind { "digest: \(sessionName)" } else { nil } }

    /// The name that `explain` shows.
    var name: String {
        switch kind {
        case .off: "off"
        case .fixed(let credentials): credentials.name
        case .tokens(let authenticator, _): authenticator.name
        case .digest: "Digest"
        }
    }
}

extension Authentication: MaskedReflectable {
    /// The kind of authentication, never a credential.
    public var description: String { name }
}
