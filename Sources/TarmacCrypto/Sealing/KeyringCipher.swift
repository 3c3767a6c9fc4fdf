#if Crypto
import HTTPTypes
public import TarmacCore
public import TarmacSigning

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Encrypts bodies with AES-256-GCM or ChaCha20-Poly1305. `Documentation/Crypto.md` describes the format.
///
/// ```swift
/// let keys = try Keyring(current: SealingKey("2026-11", key))
/// Service("shop", host: "https://api.shop.example") { $0.encryption = .cipher(KeyringCipher(keys)) }
/// ```
/// A body is bound to its method, path and query, and a response to its request: neither can be moved to another
/// endpoint, and an old response is not accepted. Each request has a unique id, which lets a server detect a replay.
/// The query and the header fields stay readable; ``SealedParameters`` moves parameters out of the query.
public struct KeyringCipher: PayloadCipher {
    let keyring: Keyring
    private let plainResponses: PlainResponses
    private let nonces: NonceSource

    /// - Parameters:
    ///   - keyring: The keys that both sides have.
    ///   - plainResponses: The handling of a response that is not encrypted. Default: refused.
    public init(_ keyring: Keyring, plainResponses: PlainResponses = .refused) {
        self.init(keyring, plainResponses: plainResponses, nonces: .system)
    }

    package init(_ keyring: Keyring, plainResponses: PlainResponses, nonces: NonceSource) {
        self.keyring = keyring
        self.plainResponses = plainResponses
        self.nonces = nonces
    }

    public func seal(_ request: Request, at date: Date) throws(TarmacError) -> Request {
        let key = keyring.current
        var sealed = request
        var head = SealedHead(
            key, type: request.headers[.contentType] ?? request.body.contentType, id: Data(nonces.bytes(SealedHead.idByteCount)).base64EncodedString(),
            time: Int64(date.timeIntervalSince1970.rounded(.down)))
        let box = try AEAD(key: key).seal(request.body.buffered ?? .empty, authenticating: SealedContext.request(request, head))
        if request.body.isNone {
            head.seal = box
        } else {
            sealed.body = .data(box, contentType: SealedHead.mediaType)
            sealed.headers[.contentType] = SealedHead.mediaType
        }
        sealed.headers[SealedHead.name] = try head.text()
        return sealed
    }

    public func open(_ response: Response, to request: Request, at date: Date) throws(TarmacError) -> Response {
        guard let head = try SealedHead.of(response.headers) else {
            if plainResponses.accept(response.status.code) { return response }
            throw unencrypted(response)
        }
        guard let id = try SealedHead.of(request.headers)?.id else { throw .unopenable("the request it answers has no id") }
        var opened = response
        opened.body = .bytes(try open(response.body.collected, head, SealedContext.response(response, to: request, id: id, head)))
        opened.headers.describe(opened: head.type)
        return opened
    }

    /// Returns the opened body. For an empty body, it checks the seal in the head.
    func open(_ body: Bytes?, _ head: SealedHead, _ context: [UInt8]) throws(TarmacError) -> Bytes {
        let key = try keyring.key(head.keyID)
        guard head.algorithm == key.algorithm else { throw .unopenable("its key is one for \(key.algorithm), and it names another algorithm") }
        let body = body ?? .empty
        guard let seal = head.seal else { return try AEAD(key: key).open(body.data, authenticating: context) }
        guard body.isEmpty else { throw .unopenable("it was sealed without a body, and has one") }
        return try AEAD(key: key).open(seal, authenticating: context)
    }

    private func unencrypted(_ response: Response) -> TarmacError {
        TarmacError(
            .unencryptedResponse, phase: .receiving, "the server answered \(response.status.code) without encryption",
            suggestion: "have the server encrypt it, or let failures through with plainResponses: .acceptedFromFailures")
    }
}

extension HTTPFields {
    /// Restores the fields of a message whose body has been opened.
    mutating func describe(opened type: String?) {
        self[SealedHead.name] = nil
        self[.contentLength] = nil
        self[.contentType] = type
    }
}

extension KeyringCipher: MaskedReflectable {
    /// The ids of the keys.
    public var description: String { "KeyringCipher, \(keyring)" }
}
#endif
