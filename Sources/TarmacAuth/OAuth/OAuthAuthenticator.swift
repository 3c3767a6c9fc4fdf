import HTTPTypes
import TarmacCore
import TarmacDigest
import TarmacSupport

/// An authenticator for OAuth 2 tokens. It uses a refresh token (RFC 6749 §6), or requests tokens for the app itself
/// (§4.4).
///
/// ``Authentication/oauth(tokenURL:client:store:rule:onLogOut:)`` and
/// ``Authentication/clientCredentials(tokenURL:client:scope:store:rule:)`` use it.
public struct OAuthAuthenticator: Authenticator {
    /// The grant that a token is requested with.
    public enum Grant: Sendable, Hashable {
        case refreshToken
        case clientCredentials(scope: String?)
    }

    /// The token endpoint: an https URL, or a path on the service's origin.
    package let tokenURL: String
    package let client: OAuthClient
    let grant: Grant
    public let refreshRule: RefreshRule
    public let maximumSessions: Int
    private let onLogOut: @Sendable (TokenKey, LogOutReason) -> Void
    /// The token endpoint for the name. A query may name the tenant, or be a secret, so its digest stands for it.
    private let place: String

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - tokenURL: the token endpoint: an https URL, or a path on the service's origin.
    ///   - client: the registration of the app with the authorization server.
    ///   - grant: the grant that a token is requested with. Default: the refresh token.
    ///   - refreshRule: the rule for when to refresh, how often to try and for how long. Default: see ``RefreshRule``.
    ///   - maximumSessions: see ``Authenticator/maximumSessions``. A number below one counts as one. Default: 1,000.
    ///   - onLogOut: called once for each end of a login, off the main actor. Default: does nothing.
    public init(
        tokenURL: String, client: OAuthClient, grant: Grant = .refreshToken, refreshRule: RefreshRule = RefreshRule(),
        maximumSessions: Int = 1_000,
        onLogOut: @escaping @Sendable (TokenKey, LogOutReason) -> Void = { _, _ in }
    ) {
        self.tokenURL = tokenURL
        let path = tokenURL.prefix { $0 != "?" }
        place = path.utf8.count == tokenURL.utf8.count ? tokenURL : "\(path)?\(Self.shortHash(tokenURL))"
        self.client = client
        self.grant = grant
        self.refreshRule = refreshRule
        self.maximumSessions = maximumSessions
        self.onLogOut = onLogOut
    }

    public var name: String {
        switch grant {
        case .refreshToken: "OAuth 2 for \(client.id) at \(place)"
        case .clientCredentials(let scope): "OAuth 2 client credentials of \(client.id) at \(place)" + (scope.map { " for \($0)" } ?? "")
        }
    }

    /// Returns the key of the entry in a store. The app's own token has one besides that of a user, for each way to get it: both may be
    /// kept for one service, in one store.
    func storeKey(_ key: TokenKey) -> TokenKey {
        guard case .clientCredentials = grant else { return key }
        return key.derived("app-\(Self.shortHash(name))")
    }

    private static func shortHash(_ text: String) -> String { Hexadecimal.text(PublicHash.hash(text.utf8).prefix(8)) }

    public func canRefresh(_ token: AccessToken?) -> Bool {
        switch grant {
        case .refreshToken: token?.refreshToken != nil
        case .clientCredentials: true
        }
    }

    public func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        let response = try await context.client.send(raw: try request(token, context), service: context.service) { options in
            options.authenticator = .off
            // The response goes only to the sender of the request, and the refresh token to no other server.
            options.redirects = .off
            options.envelope = .off
            // The refresh repeats by its own rule, which knows whether the refresh token was used.
            options.isRepeatedBySender = true
            options.idempotencyKey = .off
            options.maximumBodySize = 8 << 20
            options.host = .origin
            options.priority = .high
        }
        do throws(TarmacError) { return try OAuthAnswer(response).token(after: token, now: context.time.date) } catch {
            throw error.with(response: response.withoutTokens.snapshot)
        }
    }

    public func consequence(of error: any Error) -> RefreshConsequence {
        // The server has answered, and may have spent the refresh token. Asking with it again at once could end the login.
        if let code = (error as? TarmacError)?.code, code == .decodingFailed || code == .bodyTooLarge { return .fail }
        guard let error = error as? TarmacError, let status = error.status else { return .standard(for: error) }
        // Something else may have answered, such as a captive portal.
        if error.code == .malformedJSON { return .retry }
        return OAuthAnswer.consequence(errorCode: error.serverCode, status: status.code)
    }

    public func didLogOut(_ key: TokenKey, _ reason: LogOutReason) { onLogOut(key, reason) }

    private func request(_ token: AccessToken?, _ context: RefreshContext) throws(TarmacError) -> Request {
        let url = try context.url(tokenURL)
        guard url.isSecure || Self.isLoopback(url.host) else {
            throw TarmacError(
                .invalidURL, phase: .authenticating, "the token endpoint \(url) is not https, and everyone on the way could take the token",
                suggestion: "use https (RFC 6749 §3.2)")
        }
        var form: ParameterList
        switch grant {
        case .clientCredentials(let scope):
            form = ["grant_type": "client_credentials"]
            if let scope { form = form.merged(over: ["scope": scope]) }
        case .refreshToken:
            guard let refresh = token?.refreshToken else { throw TokenSession.loggedOut(context.key) }
            form = ["grant_type": "refresh_token", "refresh_token": refresh]
        }
        let text = try FormEncoder().encode(client.parameters.merged(over: form))
        var request = Request(.post, url, headers: [.accept: "application/json"], body: .text(text, contentType: FormEncoder.contentType))
        request.headers[.authorization] = try client.authorization()
        request.secrets.isBody = true
        return request
    }

    private static func isLoopback(_ host: String) -> Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host) }
}

extension Response {
    /// The response for errors: the head, without a body that could contain a token.
    fileprivate var withoutTokens: Response {
        var response = self
        if (200...299).contains(status.code) { response.body = .bytes(.empty) }
        return response
    }
}

extension OAuthAuthenticator: CustomStringConvertible, CustomReflectable {
    public var description: String { name }
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension Authentication {
    /// Returns an authentication with bearer tokens that a refresh token renews (RFC 6749 §6). The first token comes
    /// from ``CallSender/logIn(_:as:)``.
    ///
    /// ```swift
    /// $0.authenticator = .oauth(tokenURL: "/oauth/token", client: OAuthClient(id: "shop-app"), store: KeychainTokenStore())
    /// ```
    public static func oauth(
        tokenURL: String, client: OAuthClient, store: (any TokenStore)? = nil, rule: RefreshRule = RefreshRule(),
        onLogOut: @escaping @Sendable (TokenKey, LogOutReason) -> Void = { _, _ in }
    ) -> Authentication {
        Authentication(OAuthAuthenticator(tokenURL: tokenURL, client: client, refreshRule: rule, onLogOut: onLogOut), store: store)
    }

    /// Returns an authentication with bearer tokens of the app itself (RFC 6749 §4.4). The first call gets a token;
    /// there is no login. For servers.
    public static func clientCredentials(
        tokenURL: String, client: OAuthClient, scope: String? = nil, store: (any TokenStore)? = nil, rule: RefreshRule = RefreshRule()
    ) -> Authentication {
        Authentication(
            OAuthAuthenticator(tokenURL: tokenURL, client: client, grant: .clientCredentials(scope: scope), refreshRule: rule), store: store)
    }
}
