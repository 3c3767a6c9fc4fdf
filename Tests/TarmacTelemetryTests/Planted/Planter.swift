#if Tools
import Foundation
import HTTPTypes
import TarmacTesting

/// Makes secrets, and knows all that it has made.
final class Planter: Sendable {
    /// Every secret has it, and nothing else does.
    static let mark = "x7Kp"
    private let planted = Watched<[String]>([])

    var all: [String] { planted.value }

    /// Returns a secret that says where it was planted, such as `zq12x7KpquerypinVw3`, as it is written there.
    func plant(_ place: String, _ coding: PlantedCoding = .plain) -> String {
        planted.update { planted in
            let secret = "zq\(planted.count)\(Self.mark)\(place.filter { $0.isLetter && $0.isASCII }.prefix(24))Vw3"
            planted.append(coding.written(secret))
            return planted[planted.count - 1]
        }
    }

    private static let traces = PlantedCoding.traces(of: mark)

    /// Returns what a text shows of the secrets, in any coding.
    static func leaks(in text: String) -> [String] {
        let found = text.split(separator: mark, omittingEmptySubsequences: false).dropFirst().map { String($0.prefix(24)) }
        // Archives and commands write a text once more: with backslashes doubled, and percent signs encoded.
        let bare = text.replacingOccurrences(of: "\\", with: ""), percent = text.replacingOccurrences(of: "%25", with: "%").lowercased()
        return found + traces.filter { bare.contains($0) || percent.contains($0) }
    }

    // MARK: Places

    /// Returns a query with a secret under each name.
    func query(_ place: String) -> String { pairs(place).map { "\($0)=\($1)" }.joined(separator: "&") + "&page=7" }

    func fields(_ place: String) -> [(name: String, value: String)] {
        let coded = [
            ("Proxy-Authorization", "Basic \(plant("\(place) proxy", .basic))"), ("X-Callback", "https://ann:\(plant("\(place) userinfo"))@hook.example/done"),
            ("X-Next", "https://hook.example/?access_token=\(plant("\(place) next", .percent))"),
        ]
        return Self.fields.map { ($0, plant("\(place) \($0)")) } + coded
    }

    func cookies(_ place: String) -> [String] { (0..<10).map { "c\($0)=\(plant("\(place) cookie"))" } }

    func body(_ form: PlantedForm, _ place: String) -> (text: String, type: String) {
        let pairs = pairs("\(place) \(form)")
        switch form {
        case .json:
            let members = pairs.map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
            return (#"{"page":7,\#(members),"nested":{"deep":[{"password":"\#(plant("\(place) deep"))"}]}}"#, "application/json")
        case .form: return (pairs.map { "\($0)=\($1)" }.joined(separator: "&") + "&page=7", "application/x-www-form-urlencoded")
        case .xml: return ("<call><page>7</page>" + pairs.map { "<\($0)>\($1)</\($0)>" }.joined() + "</call>", "application/xml")
        case .attributes:
            let members = pairs.map { #"<member \#($0)="\#($1)" page='7'/>"# }.joined()
            return ("<call>page=7\(members)</call>", "application/xml")
        case .escaped:
            let members = pairs.map { #""\#($0)":"\#(plant("\(place) \($0)", .escaped))","\#(PlantedCoding.escaped.written($0))":"\#($1)""# }.joined(
                separator: ",")
            return (#"{"page":7,\#(members),"url":"https:\/\/ann:\#(plant("\(place) address"))@hook.example\/"}"#, "application/json")
        case .encoded:
            let members = pairs.map { "\($0)=\(plant("\(place) \($0)", .percent))&\(PlantedCoding.percent.written($0))=\($1)" }.joined(separator: "&")
            return (members + "&page=7", "application/x-www-form-urlencoded")
        case .parts:
            let parts = pairs.map { "--seam\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n" }.joined()
            return ("page=7\r\n\(parts)--seam--\r\n", "multipart/form-data; boundary=seam")
        }
    }

    func pairs(_ place: String) -> [(name: String, value: String)] { Self.names.map { ($0, plant("\(place) \($0)")) } }

    private static let names = [
        "password", "passwd", "pwd", "secret", "client_secret", "token", "access_token", "refreshToken", "id_token", "api_key", "apiKey", "auth",
        "authorization", "session", "sessionid", "sid", "pin", "otp", "cvv", "private_key", "csrf_token", "signature", "sig", "credential",
        "passphrase", "user_password", "X-Amz-Security-Token", "reset_code", "new_password", "bearer",
    ]
    private static let fields = [
        "X-API-Key", "X-Auth-Token", "X-CSRF-Token", "X-Access-Token", "X-Session-Id", "Api-Key", "X-Secret", "X-Password", "X-Refresh-Token",
        "X-Amz-Security-Token", "X-Vault-Token", "X-Client-Secret", "X-Signature",
    ]
}

/// The forms of a body.
enum PlantedForm: String, CaseIterable, Sendable {
    case json, form, xml
    /// XML with the secrets in attributes.
    case attributes
    /// JSON with names and values in escapes.
    case escaped
    /// A form with names and values in percent encoding.
    case encoded
    /// The parts of a form.
    case parts
}
#endif
