import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// The challenges of one service and their answers. It performs the decisions of ``DigestPolicy``.
final class DigestSession: AuthSession {
    private let credentials: DigestCredentials
    private let policy = Locked(DigestPolicy())

    init(_ credentials: DigestCredentials) { self.credentials = credentials }

    func passesOn(_ response: Response, isRefused: Bool) -> Bool { false }
    func begin(_ context: CallContext) {}
    func admit(_ pass: inout AuthPass, for context: CallContext) {}

    func stamp(_ request: inout Request, _ pass: AuthPass) throws -> StampedCredential {
        let next = pass.own?.next(request.url) ?? policy.withLock { [url = request.url] in $0.next(url, realm: pass.realm) }
        guard let space = next else { return StampedCredential(id: 0) }
        let answer = credentials.answer(
            to: space.challenge, method: request.method.rawValue, target: request.url.requestTarget, body: request.body.buffered,
            count: space.count, clientNonce: space.clientNonce)
        if let answer { request.headers[.authorization] = try HTTPField.checked("Authorization", answer).value }
        return StampedCredential(id: space.id)
    }

    func judge(_ response: Response, to request: Request, isRefused: Bool, _ pass: inout AuthPass, for context: CallContext) -> Bool {
        guard let stamped = response[StampedCredential.self] else { return false }
        let url = request.url
        guard response.status == .unauthorized else {
            guard let nonce = response.nextNonce else { return false }
            policy.withLock { $0.renewed(nonce, answering: stamped.id, origin: url.origin, clientNonce: Self.nonce()) }
            return false
        }
        guard request.body.isReplayable else { return false }
        let challenge = credentials.answerable(
            AuthChallenge.parse(response.headers[values: .wwwAuthenticate]), vouchesForBody: context.sendsUnchanged(request.body))
        let next = policy.withLock { [pass] policy in
            policy.refused(
                challenge, answering: stamped.id, url, realm: pass.realm, answers: pass.answers, isOwn: pass.own != nil, clientNonce: Self.nonce())
        }
        guard let next else { return false }
        pass.answers += 1
        switch next {
        case .shared(let realm): (pass.realm, pass.own) = (realm, nil)
        case .own(let space): (pass.realm, pass.own) = (space.realm, OwnChallenge(space, of: url.origin))
        }
        context.drop(response, to: request)
        return true
    }

    func leave(_ pass: AuthPass) {}

    func account(for context: CallContext) -> String? { credentials.user }
    func accountNow(for context: CallContext) -> String? { credentials.user }
    func knownAccount(for context: CallContext) -> String? { credentials.user }
    var isLoggedIn: Bool { true }
    var isForgettable: Bool { true }
    /// Does nothing: a shown answer would be counted and never sent.
    func preview(_ request: inout Request) {}
    func close() {}

    private static func nonce() -> String {
        String(UInt64.random(in: .min ... .max), radix: 16) + String(UInt64.random(in: .min ... .max), radix: 16)
    }
}

extension CallContext {
    /// Whether the body is sent as it is known above the wire.
    fileprivate func sendsUnchanged(_ body: Body) -> Bool {
        body.isNone || body.buffered != nil && !changesOnWire(body)
    }
}

extension Response {
    /// The `nextnonce` of Authentication-Info (RFC 7616 §3.5).
    fileprivate var nextNonce: String? {
        guard let field = headers[.authenticationInfo] else { return nil }
        // A list of parameters without a scheme.
        return AuthChallenge.parse(["digest \(field)"]).first?.parameters["nextnonce"]
    }
}
