#if Tools
import HTTPTypes
import TarmacTesting

/// Makes secrets, and knows all that it has made.
final class Planter: Sendable {
    /// Every secret has it, and nothing else does.
    static let mark = "x7Kp"
    private let planted = Watched<[String]>([])

    var all: [String] { planted.value }

    /// Returns a secret that says where it was planted, such as `zq12x7KpquerypinVw3`.
    func plant(_ place: String) -> String {
        planted.update { planted in
            planted.append("zq\(planted.count)\(Self.mark)\(place.filter { $0.isLetter && $0.isASCII }.prefix(24))Vw3")
            return planted[planted.count - 1]
        }
    }

    /// Returns what a text shows of the secrets.
    static func leaks(in text: String) -> [String] {
        text.split(separator: mark, omittingEmptySubsequences: false).dropFirst().map { String($0.prefix(24)) }
    }

    // MARK: Places

    /// Returns a query with a secret under each name.
    func query(_ place: String) -> String { pairs(place).map { "\($0)=\($1)" }.joined(separator: "&") + "&page=7" }

    func fields(_ place: String) -> [(name: String, value: String)] { Self.fields.map { ($0, plant("\(place) \($0)")) } }

    func cookies(_ place: String) -> [String] { (0..<10).map { "c\($0)=\(plant("\(place) cookie"))" } }

    func body(_ form: PlantedForm, _ place: String) -> (text: String, type: String) {
        let pairs = pairs("\(place) \(form)")
        switch form {
        case .json:
            let members = pairs.map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
            return (#"{"page":7,\#(members),"nested":{"deep":[{"password":"\#(plant("\(place) deep"))"}]}}"#, "application/json")
        case .form: return (pairs.map { "\($0)=\($1)" }.joined(separator: "&") + "&page=7", "application/x-www-form-urlencoded")
        case .xml: return ("<call><page>7</page>" + pairs.map { "<\($0)>\($1)</\($0)>" }.joined() + "</call>", "application/xml")
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
}
#endif
