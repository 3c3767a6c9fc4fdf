@testable import TarmacMasking
import Testing

/// Names of queries, fields and bodies as the interfaces of clouds, maps and payment services have them.
@Suite("Names of cloud services")
struct CloudNameTests {
    private static func masked(_ query: String) -> String { FormMask(.standard).masked(query) { _ in "‹masked›" } }

    private static let secret = """
        key sig signature X-Amz-Signature X-Amz-Security-Token X-Amz-Credential X-Goog-Signature X-Goog-Credential AWSAccessKeyId access_key_id
        api-key apikey api_key x-api-key x-functions-key ocp-apim-subscription-key subscription-key app_key app_secret client_secret
        client_assertion code_verifier id_token id_token_hint login_hint logout_hint access_token refresh_token token auth auth_key authkey
        otp pin cvv cvc pan card_number password passwd pwd secret x-csrf-token csrf_token xsrf SAMLResponse SAMLRequest
        session_id sessionid sid jsessionid PHPSESSID OSSAccessKeyId x-oss-security-token x-cos-security-token q-signature
        hdnea Policy-Signature device_code user_code private_key license_key stripe_token recaptcha_response g-recaptcha-response
        shared_access_signature SharedAccessSignature x-ms-client-secret account_key connection_string webhook_secret hmac x-hub-signature-256
        registration_token push_token fcm_token nonce_token magic_link reset_token invite_code verification_code backup_code
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    private static let harmless = """
        sort_key sortKey partition_key page_key cache_key keyword keywords keys_only se sp sv sr st spr skoid srt page limit offset q query
        lang language region format fields expand include filter order sort status state_name country zip version api-version X-Amz-Date
        X-Amz-Expires X-Amz-Algorithm X-Amz-SignedHeaders Expires X-Goog-Date X-Goog-Expires max-keys prefix delimiter marker uploadId partNumber
        response_type grant_type scope redirect_uri client_id display prompt ui_locales acr_values center zoom size markers path origin destination
        units mode lat lon latlng address place_id user name title count color
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    @Test func theSecretsOfAQueryAreMasked() {
        #expect(Self.secret.filter { Self.masked("a=b&\($0)=k3y-v4lue-Qx7") != "a=b&\($0)=‹masked›" } == [])
    }

    @Test func theSecretsOfAnAddressInATextAreMasked() {
        #expect(Self.secret.filter { SecretText().masked("GET https://a.example/x?a=b&\($0)=k3y-v4lue-Qx7 failed") { _ in "‹masked›" }.contains("Qx7") } == [])
    }

    @Test func theOthersStayReadable() {
        #expect(Self.harmless.filter { Self.masked("\($0)=v4lue") != "\($0)=v4lue" } == [])
    }

    /// `code` and `state` of a sign-in are secrets; those of an error and a place are words.
    @Test(arguments: [("code=SplxlOBeZQQYbYS6WxSbIA", "code=‹masked›"), ("code=invalid_grant", "code=invalid_grant"), ("code=404", "code=404")])
    func aCodeIsJudgedByItsValue(query: String, shown: String) { #expect(Self.masked(query) == shown) }

    // MARK: key

    @Test(arguments: [
        ("?key=k3y", "?key=‹masked›"), ("?a=1&KEY=abc&b=2", "?a=1&KEY=‹masked›&b=2"), ("?a=1&amp;key=abc", "?a=1&amp;key=‹masked›"),
        ("https%3A%2F%2Fa.example%2F%3Fkey%3Dabc%26b%3D1", "https%3A%2F%2Fa.example%2F%3Fkey%3D‹masked›%26b%3D1"),
        ("?key=", "?key="), ("?sort_key=abc", "?sort_key=abc"), ("cache hit key=/users/7", "cache hit key=/users/7"), ("#key=abc", "#key=abc"),
        (#"[{"key":"city","value":"Bern"},{"key":"zip","value":"3000"}]"#, #"[{"key":"city","value":"Bern"},{"key":"zip","value":"3000"}]"#),
    ])
    func aKeyAloneIsASecretOfQueriesOnly(text: String, shown: String) {
        #expect(SecretText().masked(text) { _ in "‹masked›" } == shown)
    }

    @Test func theUserHasTheLastWord() {
        #expect(FormMask(SecretNames.standard.showing(["key"])).masked("key=abc") { _ in "x" } == "key=abc")
        #expect(FormMask(SecretNames.none).masked("key=abc") { _ in "x" } == "key=abc")
        #expect(FormMask(SecretNames.none.hiding(["key"])).masked("key=abc") { _ in "x" } == "key=x")
    }
}
