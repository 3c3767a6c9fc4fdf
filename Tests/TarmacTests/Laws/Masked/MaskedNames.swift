import Foundation
import HTTPTypes

/// Values to plant: each tells where it was planted and under which name.
enum Planted {
    /// It begins every planted value. It is the same in a URL, and nothing else has it.
    static let mark = "hunter2"

    /// A value for a name at a place, such as `hunter2q17z`.
    static func value(_ place: Character, _ number: Int) -> String { "\(mark)\(place)\(number)z" }

    /// The names of secret header fields, as services call them.
    static let headers = [
        "Authorization", "Proxy-Authorization", "X-API-Key", "Api-Key", "apikey", "X-Auth-Token", "X-Access-Token", "X-CSRF-Token", "X-XSRF-TOKEN",
        "X-Amz-Security-Token", "PRIVATE-TOKEN", "JOB-TOKEN", "X-Goog-Api-Key", "X-Vault-Token", "X-Shopify-Access-Token", "X-Session-Id",
        "X-Session-Token", "DPoP", "X-Gitlab-Token", "X-Hub-Signature-256", "Stripe-Signature", "X-Slack-Signature", "Ocp-Apim-Subscription-Key",
        "X-Master-Key", "X-Figma-Token", "X-Auth-Key", "X-Parse-Session-Token", "X-Parse-Master-Key", "X-Algolia-API-Key", "X-Plex-Token",
        "X-Rundeck-Auth-Token", "X-RapidAPI-Key", "X-MBX-APIKEY", "X-Client-Secret", "X-Consul-Token", "X-Nomad-Token", "X-Rollbar-Access-Token",
        "X-Sentry-Auth", "DD-API-KEY", "DD-APPLICATION-KEY", "X-Forwarded-Access-Token", "X-Id-Token", "X-Refresh-Token", "X-Password", "X-User-Password",
        "X-OTP", "CF-Access-Client-Secret", "CF-Access-Jwt-Assertion", "X-Shopify-Hmac-Sha256", "X-Firebase-Auth-Token", "X-Registry-Auth", "Cookie",
    ]

    /// The names of secret parameters, form fields and members.
    static let names = [
        "password", "passwd", "pwd", "userPassword2", "new_password", "oldPassword", "current-password", "user[password]", "user.password", "passphrase",
        "secret", "client_secret", "clientSecret", "secret_access_key", "aws_secret_access_key", "AWSAccessKeyId", "token", "authToken", "access_token",
        "refreshToken", "id_token", "device_token", "fcmToken", "session_id", "sessionId", "session", "api_key", "apikey", "APIKey", "api-key", "private_key",
        "privateKey", "app_key", "subscription-key", "master_key", "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "X-Goog-Signature",
        "Signature", "sig", "sign", "hmac", "csrf", "csrf_token", "xsrf-token", "authenticity_token", "assertion", "client_assertion", "otp", "otp_code",
        "verification_code", "pin", "cvc", "cvv", "cvv2", "card_number", "cardNumber", "ssn", "code", "code_verifier", "jwt", "credential", "credentials",
        "auth", "authorization", "user[new_password]", "data[attributes][apiKey]",
    ]

    /// Harmless names that look like secret ones.
    static let harmless = [
        "next_page_token", "max_tokens", "total_tokens", "author", "authority", "keyboard", "keyword", "sort_key", "status_code", "error_code", "passengers",
        "secretary", "design", "designer", "assignee", "signal", "pinned", "spinner", "shipping", "page", "limit", "q", "sort", "user_id", "order_id", "title",
        "monkey", "compass", "encoding", "country_code", "currency_code", "language", "hashtag", "ids", "accessibility", "cursor", "card_type", "opinion",
    ]
    static let harmlessHeaders = ["X-App-Version", "X-Request-Page", "X-Keyboard", "X-Author", "X-Monkey", "X-Sort-Key", "If-None-Match", "X-Country-Code"]

    /// Values that are secret under any name.
    static let shapes = [
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.\(mark)s0zxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "Bearer \(mark)s1zxxxxxxxxxxxxxx",
        "ghp_\(mark)s2zxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "glpat-\(mark)s3zxxxxxxxxxx", "sk_live_\(mark)s4zxxxxxxxxxxxxxxxxxxxx",
        "https://b.example/f?X-Amz-Expires=60&X-Amz-Signature=\(mark)s5z", "https://user:\(mark)s6z@b.example/f",
    ]

    /// The header fields of a request or response, one for each name.
    static func fields(_ place: Character) -> [(name: String, value: String)] {
        headers.enumerated().map { number, name in
            (name, name == "Authorization" ? "Bearer \(value(place, number))" : name == "Cookie" ? "sid=\(value(place, number))" : value(place, number))
        }
    }

    /// Names with values, as in a query, a form or an object.
    static func pairs(_ place: Character) -> [(name: String, value: String)] { names.enumerated().map { ($1, value(place, $0)) } }

    static func query(_ place: Character) -> String {
        pairs(place).map { "\($0.name.replacing("[", with: "%5B").replacing("]", with: "%5D"))=\($0.value)" }.joined(separator: "&")
    }

    /// An object, with the members also one level deeper.
    static func json(_ place: Character, more: String = "") -> String {
        let members = pairs(place).map { #""\#($0.name)":"\#($0.value)""# }.joined(separator: ",")
        let notes = shapes.enumerated().map { #""note\#($0)":"\#($1)""# }.joined(separator: ",")
        return #"{\#(more)"items":[{\#(members)}],"deep":{"a":{\#(members)}},\#(notes),\#(members)}"#
    }
}

extension Planted {
    /// The forms in which a text may hold a planted value.
    private static let forms: [String] = {
        let cores = [mark, String(mark.dropFirst(1)), String(mark.dropFirst(2))].map { text in base64(Array(text.utf8.prefix(text.utf8.count / 3 * 3))) }
        return [mark, mark.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()] + cores
    }()

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        return stride(from: 0, to: bytes.count - 2, by: 3).map { index in
            let word = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
            return String([18, 12, 6, 0].map { letters[word >> $0 & 63] })
        }.joined()
    }

    /// The planted values that a text holds, with the names they were planted under.
    static func found(in text: String) -> Set<String> {
        var found: Set<String> = []
        text.withCString { start in
            for form in forms {
                var rest = start
                while let place = strstr(rest, form) {
                    rest = UnsafePointer(place) + form.utf8.count
                    let label = UnsafeBufferPointer(start: rest, count: strnlen(rest, 6)).map { Character(Unicode.Scalar(UInt8(bitPattern: $0))) }
                    found.insert(form == mark ? name(of: String(label.prefix { $0 != "z" })) : "in the form \(form)")
                }
            }
        }
        return found
    }

    private static func name(of label: String) -> String {
        guard let place = label.first, let number = Int(label.dropFirst()) else { return "\(mark)\(label)" }
        let list = "hHk".contains(place) ? headers : place == "s" ? shapes : names
        return list.indices.contains(number) ? "\(place):\(list[number].prefix(30))" : "\(mark)\(label)"
    }
}
