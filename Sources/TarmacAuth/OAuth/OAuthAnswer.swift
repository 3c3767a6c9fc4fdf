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
    /// The members that are read of an answer that is JSON with a fault.
    private let loose: LooseMembers?
    /// Whether the body was read and is no JSON at all, such as a page of something on the way.
    private let isForeign: Bool

    init(_ response: Response) {
        status = response.status.code
        json = (try? JSONDocument.of(response, response.mediaType, options: Redactor.standardDocumentOptions))?.root
        let body = json == nil ? try? response.readableBody : nil
        loose = body.flatMap { LooseMembers(Array($0), names: Self.names) }
        isForeign = body != nil && loose == nil
    }

    private static let names: Set<String> = ["access_token", "refresh_token", "token_type", "expires_in", "scope"]

    private func text(_ name: String) -> String? { json?[name].string ?? loose?.texts[name] }
    private func looseText(_ name: String) -> String? { text(name) ?? json?[name].numberText }

    /// Returns the next token. If the response omits the refresh token (§6) or the scope (§5.1), the old one stays.
    ///
    /// - Throws: `TarmacError` without any value of the response.
    func token(after old: AccessToken?, now: Date) throws(TarmacError) -> AccessToken {
        guard (200...299).contains(status) else { throw refusal }
        guard json != nil || loose != nil else { throw malformed("it is not JSON", isForeign ? .malformedJSON : .decodingFailed) }
        let renewed = looseText("refresh_token").flatMap { $0.isEmpty ? nil : $0 }
        // With a new refresh token the old one is spent, so that it must be kept whatever it came with.
        let value = text("access_token") ?? renewed.map { _ in looseText("access_token") ?? "" }
        guard let value, renewed != nil || !value.isEmpty else {
            // Some servers refuse with status 200.
            throw errorCode == nil ? malformed("it has no access_token") : refusal
        }
        guard renewed != nil || (try? BearerCredentials(value)) != nil else { throw malformed("its access_token holds a character that no token has") }
        // A server that omits the type means the usual one, and so do those that name it otherwise.
        if renewed == nil, let type = text("token_type"), Self.provingTypes.contains(type.lowercased()) {
            throw malformed("its token_type is not Bearer, and another cannot be sent")
        }
        var token = old ?? AccessToken(value)
        token.value = value
        token.refreshToken = renewed ?? old?.refreshToken
        token.expiry = lifetime.map { now.addingTimeInterval($0) }
        token.expiryBasis.isOwnClock = true
        token.scope = text("scope") ?? old?.scope
        return token
    }

    /// The error code of §5.2, if the response has one. It ends the login, so an answer with a fault has none.
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
    private var lifetime: Double? {
        let seconds = json?["expires_in"].double ?? text("expires_in").flatMap(Double.init)
        return seconds.flatMap { $0.isFinite && $0 >= 0 && $0 < 1e9 ? $0 : nil }
    }

    /// Types whose tokens are sent with a proof.
    private static let provingTypes: Set<String> = ["mac", "dpop", "pop"]

    private var refusal: TarmacError {
        TarmacError(
            .unacceptableStatus, phase: .authenticating, "the token endpoint answered \(status)" + (errorCode.map { ", \($0)" } ?? ""),
            suggestion: errorCode == "invalid_client" ? "check the client's id, its secret and how it identifies itself" : nil
        ).with(serverCode: errorCode, message: nil)
    }

    private func malformed(_ reason: String, _ code: TarmacError.Code = .decodingFailed) -> TarmacError {
        TarmacError(code, phase: .authenticating, "the token endpoint's answer cannot be used: \(reason)")
    }
}
