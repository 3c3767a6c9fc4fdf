import HTTPTypes
import TarmacJSON
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore

/// The response of a token endpoint (RFC 6749 §5; pure).
struct OAuthAnswer {
    let status: Int
    private let json: JSON?

    init(_ response: Response) {
        status = response.status.code
        json = (try? JSONDocument.of(response, response.mediaType, options: Redactor.standardDocumentOptions))?.root
    }

    /// Returns the next token. If the response omits the refresh token (§6) or the scope (§5.1), the old one stays.
    ///
    /// - Throws: `TarmacError` without any value of the response.
    func token(after old: AccessToken?, now: Date) throws(TarmacError) -> AccessToken {
        guard (200...299).contains(status) else { throw refusal }
        guard let json else { throw malformed("it is not JSON") }
        guard let value = json["access_token"].string, !value.isEmpty else {
            // Some servers refuse with status 200.
            throw errorCode == nil ? malformed("it has no access_token") : refusal
        }
        let renewed = json["refresh_token"].string.flatMap { $0.isEmpty ? nil : $0 }
        // With a new refresh token the old one is spent, so that it must be kept whatever it came with.
        guard renewed != nil || (try? BearerCredentials(value)) != nil else { throw malformed("its access_token holds a character that no token has") }
        // A server that omits the type means the usual one.
        if let type = json["token_type"].string, type.lowercased() != "bearer" {
            throw malformed("its token_type is not Bearer, and another cannot be sent")
        }
        var token = old ?? AccessToken(value)
        token.value = value
        token.refreshToken = renewed ?? old?.refreshToken
        token.expiry = lifetime(json).map { now.addingTimeInterval($0) }
        token.expiryBasis.isOwnClock = true
        token.scope = json["scope"].string ?? old?.scope
        return token
    }

    /// The error code of §5.2, if the response has one.
    var errorCode: String? {
        guard let code = json?["error"].string, Self.codes.contains(code) else { return nil }
        return code
    }

    /// Returns the consequence of an error. Only a code that refuses the refresh token ends the login. Without a code,
    /// something else may have answered, such as a firewall or a captive portal. An error of the app itself, such as a
    /// wrong secret, does not end the user's login.
    static func consequence(errorCode: String?, status: Int) -> RefreshConsequence {
        if let errorCode, refusals.contains(errorCode) { return .logOut }
        return RefreshConsequence.standard(forStatus: status) == .retry ? .retry : .fail
    }

    /// RFC 6749 §5.2. Some servers use the code of RFC 6750 §3.1, which can only mean the refresh token here, and GitHub has its own.
    private static let refusals: Set<String> = ["invalid_grant", "invalid_token", "bad_refresh_token"]
    private static let codes: Set<String> = refusals.union([
        "invalid_request", "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
    ])

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
