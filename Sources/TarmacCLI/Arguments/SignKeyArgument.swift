#if Tools
import ArgumentParser
import Tarmac
import TarmacCrypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `--sign-key-file` and `--sign-key-id`: the key that signs requests as RFC 9421 says.
///
/// The file holds an Ed25519 private key in PEM (`openssl genpkey -algorithm ed25519`), or a secret in base64
/// (`openssl rand -base64 32`), which signs with HMAC-SHA256.
struct SignKeyArgument {
    static let fileHelp = ArgumentHelp(
        """
        Sign the request (RFC 9421) with the key in this file: an Ed25519 private key in PEM, or a secret in base64, which makes it HMAC-SHA256. \
        Covers method, authority, path, query, Content-Type and the body's digest. Requests to other origins after a redirect go out unsigned.
        """, valueName: "file")
    static let idHelp = ArgumentHelp("What the server knows the key by. Without it the name of the file up to its first dot.", valueName: "id")

    /// A key file is short; anything longer is another file.
    private static let keyLimit: Int64 = 16_384
    /// A body that is signed is held in memory.
    private static let bodyLimit: Int64 = 64 << 20

    let signer: MessageSigner

    /// `nil` when no key is given.
    init?(_ arguments: CallArguments) throws(TarmacError) {
        guard let path = arguments.signKeyFile else {
            guard arguments.signKeyId == nil else {
                throw TarmacError(.invalidOption, "--sign-key-id names a key, and there is none", suggestion: "give the key with --sign-key-file")
            }
            return nil
        }
        if arguments.curl {
            throw TarmacError(
                .invalidOption, "--curl cannot stand beside --sign-key-file: a signature is made when a call is sent",
                suggestion: "leave one of them out")
        }
        if let data = arguments.data, DataArgument(data) == .standardInput {
            throw TarmacError(
                .invalidOption, "standard input cannot be signed: its bytes are not known before they are sent", suggestion: "use --data @FILE")
        }
        let id = arguments.signKeyId ?? Self.name(of: path)
        signer = MessageSigner(try Self.key(id, String(decoding: try Self.read(path, limit: Self.keyLimit), as: UTF8.self), path))
    }

    private static func key(_ id: String, _ text: String, _ path: String) throws(TarmacError) -> SignatureKey {
        do {
            if text.contains("-----BEGIN") { return try .ed25519(id, pem: text) }
            return .hmacSHA256(id, try SecretKey(base64: text))
        } catch {
            throw TarmacError(
                .invalidOption, "the file \"\(path)\" holds no key that can sign",
                suggestion: "write one with openssl genpkey -algorithm ed25519, or with openssl rand -base64 32")
        }
    }

    private static func name(of path: String) -> String {
        let file = path.split(separator: "/").last ?? "key"
        let name = file.prefix { $0 != "." }
        return name.isEmpty ? String(file) : String(name)
    }

    /// The body of a call that is to be signed: a file is read whole.
    static func body(_ data: DataArgument) throws(TarmacError) -> Body {
        guard case .file(let path) = data else { return try data.body() }
        return .data(try read(path, limit: bodyLimit), contentType: DataArgument.type(ofFile: path))
    }

    private static func read(_ path: String, limit: Int64) throws(TarmacError) -> Data {
        // Says what is wrong with a path that is no readable file.
        let size = try Body.file(path).length ?? 0
        guard size <= limit else {
            throw TarmacError(.unreadableFile, "the file \"\(path)\" has \(size) bytes, and the limit is \(limit)")
        }
        guard let data = FileManager.default.contents(atPath: path) else { throw TarmacError(.unreadableFile, "the file \"\(path)\" cannot be read") }
        return data
    }
}
#endif
