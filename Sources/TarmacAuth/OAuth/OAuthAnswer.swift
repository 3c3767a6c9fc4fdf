import HTTPTypes
import TarmacJSON
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore

/// What a token endpoint answered (RFC 6749 §5; pure).
struct OAuthAnswer {
    let status: Int
    private let json: JSON?

    init(_ response: Response) {
        status = response.status.code
        json = (try? JSONDocument.of(response, response.mediaType, options: Redactor.standardDocumentOptions))?.root
    }

    /// The next token. What the answer leaves out stays as it was: the refresh token (§6) and the scope (§5.1).
    ///
    /// - Throws: `TarmacError` without any value of the answer.
    func token(after old: AccessToken?, now: Date) throws(TarmacError) -> AccessToken {
        guard (200...299).contains(status) else { throw refusal }
        guard let json else { throw malformed("it is not JSON") }
        guard let value = json["access_token"].string, !value.isEmpty else {
            // Some servers refuse with 200.
            throw errorCode == nil ? malformed("it has no access_token") : refusal
        }
        guard (try? BearerCredentials(value)) != nil else { throw malformed("its access_token holds a character that no token has") }
        // Servers that forget to name the type mean the usual one.
        if let type = json["token_type"].string, type.lowercased() != "bearer" {
            throw malformed("its token_type is not Bearer, and another cannot be sent")
        }
        var token = old ?? AccessToken(value)
        token.value = value
        token.refreshToken = json["refresh_token"].string.flatMap { $0.isEmpty ? nil : $0 } ?? old?.refreshToken
        token.expiry = lifetime(json).map { now.addingTimeInterval($0) }
        token.scope = json["scope"].string ?? old?.scope
        return token
    }

    /// The error code of §5.2, when it is one.
    var errorCode: String? {
        guard let code = json?["error"].string, Self.codes.contains(code) else { return nil }
        return code
    }

    /// `invalid_grant` ends the login, and so does a 400 that does not say what is wrong. What is wrong with the app
    /// itself, such as its secret, is no reason to have its user log in again.
    static func consequence(errorCode: String?, status: Int) -> RefreshConsequence {
        switch (errorCode, status) {
        case ("invalid_grant", _), (nil, 400): .logOut
        case (_, 429), (_, 500...599): .retry
        default: .fail
        }
    }

    private static let codes: Set<String> = [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
    ]

    /// Some servers write the seconds as a string.
    private func lifetime(_ json: JSON) -> Double? {
        let seconds = json["expires_in"].double ?? json["expires_in"].string.flatMap(Double.init)
        return seconds.flatMap { $0.isFinite && $0 >= 0 && $0 < 1e9 ? $0 : nil }
    }

    private var refusal: TarmacError {
        TarmacError(
            .unacceptableStatus, phase: .authenticating, "the token endpoint answered \(status)" + (errorCode.map { ", \($0)" } ?? ""),
            suggestion: errorCode == "invalid_client" ? "check the client's id, its secret and how it identifies itself" : nil
        ).with(serverCode: errorCode, message: nil)
    }

    private func malformed(_ reason: String) -> TarmacError {
        TarmacError(.decodingFailed, phase: .authenticating, "the token endpoint's answer cannot be used: \(reason)")
    }
}
