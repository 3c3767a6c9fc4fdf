#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore

/// The app as registered with the authorization server (RFC 6749 §2).
public struct OAuthClient: Sendable, Hashable {
    /// The way in which an app with a secret identifies itself.
    public enum Identification: String, Sendable, Hashable, CaseIterable {
        /// `Authorization: Basic …` (RFC 6749 §2.3.1), which every server must support.
        case basic
        /// `client_id` and `client_secret` in the body, for servers that require it.
        case body
    }

    /// The id that the server assigned.
    package let id: String
    private let secret: String?
    /// The way in which the app identifies itself if it has a secret.
    package let identification: Identification

    /// Creates a client registration.
    ///
    /// - Parameters:
    ///   - id: the id that the server assigned. If it is empty, calls throw `TarmacError(.invalidOption)`.
    ///   - secret: the client secret. Default: `nil`, a public client, as every app on a user's device is.
    ///   - identification: the way in which the app identifies itself if it has a secret. Default:
    ///     ``Identification/basic``.
    public init(id: String, secret: String? = nil, identification: Identification = .basic) {
        self.id = id
        self.secret = secret
        self.identification = identification
    }

    /// The reason why the registration cannot be used, or `nil`.
    var fault: String? { id.isEmpty ? "the id of the OAuth client is empty" : nil }

    /// The parameters for the form.
    var parameters: ParameterList {
        guard let secret else { return ["client_id": id] }
        return identification == .basic ? [:] : ["client_id": id, "client_secret": secret]
    }

    /// Returns the Authorization field. The id and the secret are form-encoded first (RFC 6749 §2.3.1).
    func authorization() throws(TarmacError) -> String? {
        guard let secret, identification == .basic else { return nil }
        let text = "\(try Self.encoded(id)):\(try Self.encoded(secret))"
        return "Basic \(Data(text.utf8).base64EncodedString())"
    }

    private static func encoded(_ text: String) throws(TarmacError) -> String {
        String(try FormEncoder().encode(["a": text]).dropFirst(2))
    }
}

extension OAuthClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The id, never the secret.
    public var description: String { id }
    public var debugDescription: String { id }
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
