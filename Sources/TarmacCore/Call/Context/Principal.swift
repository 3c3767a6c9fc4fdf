import HTTPTypes

/// The principal that a call is made for. Stored responses, shared calls and cookies of different principals are kept
/// apart.
///
/// It is the authenticator's account, or otherwise the credentials to send, within one service and environment.
package struct Principal: Hashable, Sendable {
    package let service: String
    package let environment: String
    /// The value of ``Options/principal``.
    package let name: String
    /// The account of an authenticator that keeps tokens.
    package let account: String?
    /// The credentials of the call itself, sorted. They are compared as a whole and never shown.
    private let own: [String]
    /// The credentials that client and service give to all calls, such as an application's key.
    private let common: [String]
    /// The names of omitted credentials, separated by commas. A request with them differs from one without them.
    private let omitted: String

    private var credentials: [String] {
        let all = common.isEmpty ? own : (own + common).sorted()
        return omitted.isEmpty ? all : all + ["without \(omitted)"]
    }
    package var isNamed: Bool { !name.isEmpty || account != nil }

    /// Whether there is no name, no account and no credential.
    package var isAnonymous: Bool { !isNamed && own.isEmpty && common.isEmpty }

    /// The same principal without credentials, if a name or an account identifies it.
    package var byName: Principal {
        if !isNamed || own.isEmpty && common.isEmpty { return self }
        return Principal(service: service, environment: environment, name: name, account: account)
    }

    /// The same principal without the credentials that all calls of the service send, if a name or an account
    /// identifies it.
    package var withoutCommon: Principal {
        // Tokens that were obtained without a login belong to an account with an empty name.
        if name.isEmpty && account?.isEmpty != false || common.isEmpty { return self }
        let names = Set(common.map { String($0.prefix { $0 != ":" }) }).sorted().joined(separator: ",")
        return Principal(service: service, environment: environment, name: name, account: account, own: own, omitted: names)
    }

    /// A text that identifies the principal and contains no secret, or `nil` if its credentials identify it.
    package var openText: String? {
        guard own.isEmpty, common.isEmpty else { return nil }
        return omitted.isEmpty ? named : "\(named)#\(omitted)"
    }

    /// Everything about the principal except its credentials. Each part follows its length.
    private var named: String {
        [service, environment, name, account == nil ? "" : "account", account ?? ""].map { "\($0.utf8.count):\($0)" }.joined()
    }

    /// Returns a text that identifies the principal. It contains only a digest of the credentials.
    package func text(digest: ([UInt8]) -> [UInt8]) -> String { openText ?? "\(named)#\(text(hash: digest))" }

    /// Whether a text identifies a principal with the given name or account.
    package static func isText(_ text: String, of name: String) -> Bool {
        let parts = parts(of: text)
        return parts.count == 5 && !name.isEmpty && (parts[2] == name || parts[4] == name)
    }

    /// Returns the name or otherwise the account in a text. It is empty if there is neither, and `nil` for any other
    /// text.
    package static func name(inText text: String) -> String? {
        let parts = parts(of: text)
        return parts.count == 5 ? String(parts[2].isEmpty ? parts[4] : parts[2]) : nil
    }

    private static func parts(of text: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = text.utf8[...]
        while parts.count < 5, let colon = rest.firstIndex(of: UInt8(ascii: ":")), let length = Int(Substring(rest[..<colon])) {
            let start = rest.index(after: colon)
            guard length >= 0, let end = rest.index(start, offsetBy: length, limitedBy: rest.endIndex) else { return [] }
            parts.append(Substring(rest[start..<end]))
            rest = rest[end...]
        }
        return parts
    }

    /// Returns the same principal with one more credential, unless a name or an account identifies it.
    package func known(by credential: String) -> Principal {
        if isNamed { return self }
        return Principal(service: service, environment: environment, name: name, own: own + [credential], common: common)
    }

    fileprivate init(
        service: String, environment: String, name: String, account: String? = nil, own: [String] = [], common: [String] = [], omitted: String = ""
    ) {
        self.service = service
        self.environment = environment
        self.name = name
        self.account = account
        self.own = own.count > 1 ? own.sorted() : own
        self.common = common
        self.omitted = omitted
    }

    /// Returns a text that identifies the principal in a durable store and contains no credential.
    ///
    /// - Parameter hash: a collision-resistant function such as SHA-256: two principals must never share a text.
    package func text(hash: ([UInt8]) -> [UInt8]) -> String {
        var bytes: [UInt8] = []
        for part in [service, environment, name, account == nil ? "" : "account", account ?? ""] + credentials {
            // Lengths before the parts, so that no two lists read the same.
            bytes += Array("\(part.utf8.count):".utf8) + Array(part.utf8)
        }
        return hash(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension Principal: MaskedReflectable, CustomDebugStringConvertible {
    package var description: String {
        let who = name.isEmpty ? (account == nil ? (isAnonymous ? "anonymous" : "credentials") : "account") : name
        return "\(who) of \(service) in \(environment)"
    }
    package var debugDescription: String { description }
}

extension CallContext {
    /// Returns the principal of a request of this call. The first call may read a token store.
    ///
    /// - Throws: `TarmacError` or `CancellationError` if the call ends before its store has answered.
    package func principal(of request: Request) async throws -> Principal {
        let account = try await authAccount(request)
        return principal(of: request, account: account)
    }

    private func authAccount(_ request: Request) async throws -> String? {
        guard let session = session(of: request) else { return nil }
        return try await session.account(for: self)
    }

    /// Returns the session whose account a request uses, or `nil` if the request has its own credentials or none.
    private func session(of request: Request) -> (any CredentialSource)? {
        guard let credentials = options.credentials, credentials.isSession, authenticates(request) else { return nil }
        return credentials
    }

    /// Whether the request gets the service's credentials: it goes to one of the service's origins and has none of
    /// its own.
    package func authenticates(_ request: Request) -> Bool {
        !request.headers.contains(.authorization) && runtime.scope.owns(request.url.origin)
    }

    /// Returns a request for display, with the credentials that its session has available.
    package func previewed(_ request: Request) -> Request {
        guard let session = session(of: request) else { return request }
        var request = request
        session.preview(&request, for: self)
        return request
    }

    /// Returns the principal without waiting, or `nil` if a token store must be read first.
    package func principalNow(of request: Request) -> Principal? {
        guard let session = session(of: request) else { return principal(of: request, account: nil) }
        guard case .known(let account)? = try? session.accountNow(for: self) else { return nil }
        return principal(of: request, account: account)
    }

    private func principal(of request: Request, account: String?) -> Principal {
        let isHome = runtime.scope.owns(request.url.origin)
        let sent = isHome ? stamped(request) : request
        let redactor = redactor
        var own: [String] = []
        var common: [String] = []
        for field in sent.headers where redactor.isSecret(field.name) {
            let isOwn = request.headers.contains(field.name) || hasOwnLogin && options.serviceFields[field.name] != field.value
            let credential = "\(field.name.canonicalName): \(field.value)"
            if isOwn { own.append(credential) } else { common.append(credential) }
        }
        if isHome, let key = options.credentials?.parameter { if hasOwnLogin { own.append(key) } else { common.append("query: \(key)") } }
        return Principal(service: service, environment: environment.name, name: options.values.principal, account: account, own: own, common: common)
    }

    /// Whether endpoint or call set their own credentials.
    private var hasOwnLogin: Bool { options.hasOwnCredentials }
}
