import HTTPTypes

/// On whose behalf a call is made: what cached answers, shared flights and cookies are kept apart by (law 7).
///
/// It is the authenticator's account, else the credentials that are to be sent, within one service and environment.
package struct Principal: Hashable, Sendable {
    package let service: String
    package let environment: String
    /// The value of ``Options/principal``.
    package let name: String
    /// Of an authenticator that keeps tokens.
    package let account: String?
    /// The credentials of the call itself, sorted: compared as a whole, never shown.
    private let own: [String]
    /// Those that client and service give to all calls, such as an application's key.
    private let common: [String]
    /// The names of those that are left out, comma-separated: to be asked with them is not to be asked without.
    private let omitted: String

    private var credentials: [String] {
        let all = common.isEmpty ? own : (own + common).sorted()
        return omitted.isEmpty ? all : all + ["without \(omitted)"]
    }
    private var isNamed: Bool { !name.isEmpty || account != nil }

    /// Whether nobody is named and nothing secret is sent.
    package var isAnonymous: Bool { !isNamed && own.isEmpty && common.isEmpty }

    /// The same without the credentials, where a name or an account tells who it is.
    package var byName: Principal {
        if !isNamed || own.isEmpty && common.isEmpty { return self }
        return Principal(service: service, environment: environment, name: name, account: account)
    }

    /// The same without what all calls of the service send, where a name or an account tells who it is: that tells nobody apart.
    package var withoutCommon: Principal {
        // Tokens that nobody logged in for belong to an account without a name.
        if name.isEmpty && account?.isEmpty != false || common.isEmpty { return self }
        let names = Set(common.map { String($0.prefix { $0 != ":" }) }).sorted().joined(separator: ",")
        return Principal(service: service, environment: environment, name: name, account: account, own: own, omitted: names)
    }

    /// A text that stands for it and is no secret; `nil` where it is known by its credentials.
    package var openText: String? {
        guard own.isEmpty, common.isEmpty else { return nil }
        return omitted.isEmpty ? named : "\(named)#\(omitted)"
    }

    /// Everything about it but its credentials, each part behind its length.
    private var named: String {
        [service, environment, name, account == nil ? "" : "account", account ?? ""].map { "\($0.utf8.count):\($0)" }.joined()
    }

    /// A text for it, known by its credentials through a digest alone.
    package func text(digest: ([UInt8]) -> [UInt8]) -> String { openText ?? "\(named)#\(text(hash: digest))" }

    /// Whether a text stands for somebody of that name or account.
    package static func isText(_ text: String, of name: String) -> Bool {
        let parts = parts(of: text)
        return parts.count == 5 && !name.isEmpty && (parts[2] == name || parts[4] == name)
    }

    /// The name, else the account, that a text stands for; empty for nobody of a name, `nil` for another text.
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

    /// The same, told apart by one more credential where neither a name nor an account tells who it is.
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

    /// A text that stands for it in a durable store and tells no credential.
    ///
    /// - Parameter hash: collision-resistant, such as SHA-256: two principals must never share a text.
    package func text(hash: ([UInt8]) -> [UInt8]) -> String {
        var bytes: [UInt8] = []
        for part in [service, environment, name, account == nil ? "" : "account", account ?? ""] + credentials {
            // Lengths before the parts, so that no two lists read the same.
            bytes += Array("\(part.utf8.count):".utf8) + Array(part.utf8)
        }
        return hash(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension Principal: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        let who = name.isEmpty ? (account == nil ? (isAnonymous ? "anonymous" : "credentials") : "account") : name
        return "\(who) of \(service) in \(environment)"
    }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension CallContext {
    /// The principal of a request of this call. The first time it may have to read a token store.
    ///
    /// - Throws: `TarmacError` or `CancellationError` when the call ends before its store has answered.
    package func principal(of request: Request) async throws -> Principal {
        let account = try await authAccount(request)
        return principal(of: request, account: account)
    }

    private func authAccount(_ request: Request) async throws -> String? {
        guard let session = session(of: request) else { return nil }
        return try await session.account(for: self)
    }

    /// The session whose account a request goes out for, or `nil` if it has credentials of its own or none.
    private func session(of request: Request) -> (any CredentialSource)? {
        guard let credentials = options.credentials, credentials.isSession, authenticates(request) else { return nil }
        return credentials
    }

    /// Whether the request carries the service's credentials: it goes to one of its origins, and has none of its own.
    package func authenticates(_ request: Request) -> Bool {
        !request.headers.contains(.authorization) && runtime.scope.owns(request.url.origin)
    }

    /// A request that is only shown, with the credentials that its session has at hand.
    func previewed(_ request: Request) -> Request {
        guard let session = session(of: request) else { return request }
        var request = request
        session.preview(&request, for: self)
        return request
    }

    /// The principal without a wait, or `nil` if a token store must be read first.
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

    /// Whether endpoint or call say by themselves how to log in.
    private var hasOwnLogin: Bool { options.hasOwnCredentials }
}
