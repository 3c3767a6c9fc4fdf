import HTTPTypes
import TarmacDigest

/// The principal that a call is made for. Stored responses, shared calls and cookies of different principals are kept apart.
///
/// It is the authenticator's account, or otherwise the credentials to send, within one service and environment.
package struct Principal: Hashable, Sendable {
    private let exactService, exactEnvironment, exactName: ExactText
    private let exactAccount: ExactText?
    /// The credentials of the call itself, sorted. They are compared as a whole and never shown.
    private let own: [ExactText]
    /// The credentials that client and service give to all calls, such as an application's key.
    private let common: [ExactText]
    /// The names of omitted credentials, separated by commas. A request with them differs from one without them.
    private let omitted: String

    package var service: String { exactService.text }
    package var environment: String { exactEnvironment.text }
    /// The value of ``Options/principal``.
    package var name: String { exactName.text }
    /// The account of an authenticator that keeps tokens.
    package var account: String? { exactAccount?.text }

    private var credentials: [String] {
        let all = (common.isEmpty ? own : Self.sorted(own + common)).map(\.text)
        return omitted.isEmpty ? all : all + ["without \(omitted)"]
    }

    /// Canonically equivalent texts have no order as texts.
    private static func sorted(_ texts: [ExactText]) -> [ExactText] {
        texts.count > 1 ? texts.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) } : texts
    }
    /// Whether a name or an account tells its calls from those of others. An empty account is that of the app itself, which says nothing of the user.
    package var isNamed: Bool { !name.isEmpty || account?.isEmpty == false }

    /// Whether there is no name, no account and no credential.
    package var isAnonymous: Bool { !isNamed && own.isEmpty && common.isEmpty }

    /// The same principal without credentials, if a name or an account identifies it.
    package var byName: Principal {
        if !isNamed || own.isEmpty && common.isEmpty { return self }
        return Principal(service: service, environment: environment, name: name, account: account)
    }

    /// The same principal without the credentials that all calls of the service send, if a name or an account identifies it.
    package var withoutCommon: Principal {
        // Tokens that were obtained without a login belong to an account with an empty name.
        if name.isEmpty && account?.isEmpty != false || common.isEmpty { return self }
        let names = Set(common.map { String($0.text.prefix { $0 != ":" }) }).sorted().joined(separator: ",")
        return Principal(service: service, environment: environment, name: name, account: account, own: own, omitted: names)
    }

    /// A text that identifies the principal and contains no secret, or `nil` if its credentials identify it.
    package var openText: String? {
        guard own.isEmpty, common.isEmpty else { return nil }
        return omitted.isEmpty ? named : "\(named)#\(omitted)"
    }

    /// Everything about the principal except its credentials. Each part follows its length.
    private var named: String {
        [service, environment, name, account == nil ? "" : "account", account ?? ""].map(Self.part).joined()
    }

    /// Returns a part of the text after the number of its bytes. One that is not ASCII is written in hexadecimal digits, because stores
    /// use the text as a key: canonically equivalent texts are one key of a dictionary, and one file on some systems. A NUL ends a text.
    private static func part(_ text: String) -> String {
        let bytes = text.utf8
        return bytes.allSatisfy { $0 < 0x80 && $0 != 0 } ? "\(bytes.count):\(text)" : "\(bytes.count)%\(Hexadecimal.text(bytes))"
    }

    /// Returns a text that identifies the principal. It contains only a digest of the credentials.
    package func text(digest: ([UInt8]) -> [UInt8]) -> String { openText ?? "\(named)#\(text(hash: digest))" }

    /// Whether a text identifies a principal with the given name or account.
    package static func isText(_ text: String, of name: String) -> Bool {
        let parts = parts(of: text)
        return parts.count == 5 && !name.isEmpty && [parts[2], parts[4]].contains { $0.isExactly(name) }
    }

    /// Returns the name or otherwise the account in a text. It is empty if there is neither, and `nil` for any other text.
    package static func name(inText text: String) -> String? {
        let parts = parts(of: text)
        return parts.count == 5 ? parts[2].isEmpty ? parts[4] : parts[2] : nil
    }

    private static func parts(of text: String) -> [String] {
        var parts: [String] = []
        var rest = text.utf8[...]
        while parts.count < 5, let mark = rest.firstIndex(where: { !(0x30...0x39).contains($0) }), let length = Int(Substring(rest[..<mark])) {
            let start = rest.index(after: mark), isHexadecimal = rest[mark] == UInt8(ascii: "%")
            guard isHexadecimal || rest[mark] == UInt8(ascii: ":"), length <= rest.count,
                let end = rest.index(start, offsetBy: isHexadecimal ? 2 * length : length, limitedBy: rest.endIndex)
            else { return [] }
            let part = Substring(rest[start..<end])
            guard let bytes = isHexadecimal ? Hexadecimal.bytes(part) : Array(part.utf8) else { return [] }
            parts.append(String(decoding: bytes, as: UTF8.self))
            rest = rest[end...]
        }
        return parts
    }

    /// Returns the same principal with one more credential, unless a name or an account identifies it.
    package func known(by credential: String) -> Principal {
        if isNamed { return self }
        return Principal(service: service, environment: environment, name: name, account: account, own: own + [ExactText(credential)], common: common)
    }

    fileprivate init(
        service: String, environment: String, name: String, account: String? = nil, own: [ExactText] = [], common: [ExactText] = [],
        omitted: String = ""
    ) {
        exactService = ExactText(service)
        exactEnvironment = ExactText(environment)
        exactName = ExactText(name)
        exactAccount = account.map { ExactText($0) }
        self.own = Self.sorted(own)
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
        return Hexadecimal.text(hash(bytes))
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

    /// Returns the account of the session whose credentials the request gets, or `nil` if there is none.
    package func authAccount(_ request: Request) async throws -> String? {
        guard let session = session(of: request) else { return nil }
        return try await session.account(for: self)
    }

    /// Binds the call to the login that there is when it begins.
    package func beginLogin(_ request: Request) { session(of: request)?.begin(self) }

    /// Returns the session whose account a request uses, or `nil` if the request has its own credentials or none.
    private func session(of request: Request) -> (any CredentialSource)? {
        guard let credentials = options.credentials, credentials.isSession, authenticates(request) else { return nil }
        return credentials
    }

    /// Whether the request gets the service's credentials: it goes to one of the service's origins and has none of its own.
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
        guard case .known(let account)? = try? session.accountNow(of: nil, for: self) else { return nil }
        return principal(of: request, account: account)
    }

    /// Returns the text that identifies the caller in place of an account, or `nil` if the request gets no such credentials.
    private func identity(of request: Request) -> String? {
        guard let credentials = options.credentials, let identity = credentials.identity else { return nil }
        return (credentials.isSession ? authenticates(request) : runtime.scope.owns(request.url.origin)) ? identity : nil
    }

    private func principal(of request: Request, account: String?) -> Principal {
        let isHome = runtime.scope.owns(request.url.origin)
        let sent = isHome ? stamped(request) : request
        let redactor = redactor
        var own: [ExactText] = []
        var common: [ExactText] = []
        for field in sent.headers where redactor.isSecret(field.name) {
            let isOwn = request.headers.contains(field.name) || hasOwnLogin && !options.serviceFields[field.name].isExactly(field.value)
            let credential = ExactText("\(field.name.canonicalName): \(field.value)")
            if isOwn { own.append(credential) } else { common.append(credential) }
        }
        let identity = identity(of: request).map { ExactText($0) }
        if let identity { if hasOwnLogin { own.append(identity) } else { common.append(identity) } }
        let account = identity == nil ? account : nil
        return Principal(service: service, environment: environment.name, name: options.values.principal, account: account, own: own, common: common)
    }

    /// Whether endpoint or call set their own credentials.
    private var hasOwnLogin: Bool { options.hasOwnCredentials }
}
