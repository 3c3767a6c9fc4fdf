import HTTPTypes
import Tarmac
import TarmacCore
import TarmacJSON
import TarmacTesting
import Testing

@Suite("Secrets in errors about a body")
struct MaskedSnippetTests {
    struct Card: Codable, Sendable { var number: Int; var holder: Int }

    struct Pay: Endpoint, Encodable {
        typealias Value = Card
        static let route: Route = .post("/pay")
        @Secret var holder: String = "hunter2"
    }

    /// Each has the secret beside or in the member at fault.
    static let bodies: [String] = [
        // Not JSON.
        #"{"holder":"hunter2","number":oops}"#, #"{"holder":["hunter2",oops]}"#, #"{"number":1,"holder":"hunter2"#,
        #"{"holder":{"a":"hunter2"},"number":tru}"#, #"{"Holder":"hunter2" oops"#, #"{"holder":"hunter2\q"}"#,
        // Another type than the model's.
        #"{"number":1,"holder":"hunter2"}"#, #"{"holder":"hunter2","number":"x"}"#, #"{"holder":["hunter2"],"number":1}"#,
    ]

    private func shown(_ error: TarmacError) -> String {
        var text = "\(error) \(error.reason) \(String(reflecting: error)) \(error.userMessage)"
        dump(error, to: &text)
        var cause = error.cause
        if let decoding = cause as? DecodingError, case .typeMismatch(_, let context) = decoding {
            text += context.debugDescription
            cause = context.underlyingError
        }
        if let json = error.cause(as: JSONError.self) ?? cause as? JSONError { text += "\(json) \(json.snippet ?? "") \(json.found ?? "")" }
        return text
    }

    private func failure(
        _ body: String, _ endpoint: some Endpoint, _ configure: @escaping @Sendable (inout Options) -> Void = { _ in }
    ) async throws -> TarmacError {
        let client = Client(
            transport: .stub { _ in .json(body) }, services: [Service("s", host: "http://127.0.0.1")], configure: configure)
        return try #require(await #expect(throws: TarmacError.self) { try await client.landed(for: endpoint) })
    }

    @Test(arguments: bodies)
    func namesOfTheSettingAreMasked(_ body: String) async throws {
        let get = InlineEndpoint<Card>.get("/cards/1", as: Card.self)
        #expect(try await !shown(failure(body, get) { $0.secretNames = ["holder"] }).contains("hunter2"))
        #expect(
            try await !shown(
                failure(body, get) {
                    $0.secretNames = ["holder"]
                    $0.shape = ["number": .integer, "holder": .integer]
                }
            ).contains("hunter2"))
    }

    @Test(arguments: bodies)
    func secretFieldsOfTheEndpointAreMasked(_ body: String) async throws {
        #expect(try await !shown(failure(body, Pay())).contains("hunter2"))
    }

    @Test(arguments: ["password", "access_token", "code_verifier", "signature", "client_secret"])
    func namesOfTheRedactorAreMasked(_ name: String) async throws {
        let body = #"{"\#(name)":"hunter2","number":oops}"#
        #expect(try await !shown(failure(body, InlineEndpoint<Card>.get("/cards/1", as: Card.self))).contains("hunter2"))
    }

    @Test func whatIsNoSecretIsShown() async throws {
        let error = try await failure(#"{"holder":"hunter2","number":oops}"#, InlineEndpoint<Card>.get("/cards/1", as: Card.self))
        #expect(shown(error).contains("hunter2"))
    }

    /// A body the verdict did not parse (its type says it is no JSON) is read by the call's names and charset as well.
    @Test func serversErrorsAreReadAsTheCallReads() async throws {
        struct Words: Decodable, Sendable { var number: Int }
        for body in [#"{"holder":"hunter2","number":"x"}"#, #"{"holder":"hunter2","number":oops}"#] {
            let client = Client(
                transport: .stub { _ in .text(body, status: .badRequest) }, services: [Service("s", host: "http://127.0.0.1")]
            ) { $0.secretNames = ["holder"] }
            let error = try #require(
                await #expect(throws: TarmacError.self) {
                    try await client.landed(for: InlineEndpoint<Card>.get("/cards/1", as: Card.self))
                })
            let response = try #require(error.response)
            let cause = #expect(throws: TarmacError.self) { try response.decode(as: Words.self) }
            #expect(try !shown(#require(cause)).contains("hunter2"))
        }
    }

    @Test func serversErrorsMayBeInAnotherCharset() throws {
        struct Words: Decodable { var message: String }
        var bytes = Array(#"{"message":"caf"#.utf8)
        bytes += [0xE9] + Array(#""}"#.utf8)
        let snapshot = ResponseSnapshot(
            status: .badRequest, headers: [.contentType: "text/plain; charset=iso-8859-1"], body: Bytes(bytes))
        #expect(try snapshot.decode(as: Words.self).message == "café")
    }
}

@Suite("Names of secrets")
struct SecretNameTests {
    /// One list and one comparison for what is shown and what errors quote.
    @Test(arguments: ["accessToken", "refresh-token", "clientSecret", "ID_TOKEN", "pin", "otp", "cvv", "cardNumber", "card_number", "Api-Key"])
    func whatErrorsMaskIsMaskedInBodiesToo(_ name: String) {
        let redactor = Redactor.standard
        #expect(redactor.isSecret(name))
        #expect(redactor.json(Bytes(#"{"a":{"\#(name)":"hunter2"}}"#))?.contains("hunter2") == false)
        #expect(!redactor.form("\(name)=hunter2&x=1").contains("hunter2"))
        let error = #expect(throws: JSONError.self) { try JSONDocument(#"{"\#(name)":"hunter2","x":oops}"#, options: redactor.errorOptions) }
        #expect(error?.description.contains("hunter2") == false)
    }

    /// The look at the first letters and the length loses none.
    @Test func noWayToWriteASecretNameIsPassedOver() {
        let redactor = Redactor.standard.adding(parameters: ["Ключ", "K", "a_", "x"])
        for name in redactor.parameters {
            let letters = Array(name)
            for spelling in [name, name.uppercased(), "_" + name, letters.map(String.init).joined(separator: "-")] {
                #expect(redactor.isSecret(spelling), "\(spelling)")
            }
        }
        // The sign for kelvin is a k when it is written small.
        #expect(redactor.isSecret("\u{212A}") && redactor.isSecret("to\u{212A}en"))
        for name in redactor.headers { #expect(redactor.value(of: HTTPField(name: name, value: "x")) == Redactor.mask, "\(name)") }
        for name in ["", "-", "page", "max_tokens", "accept", "user-agent", "Ключи"] { #expect(!redactor.isSecret(name), "\(name)") }
    }

    @Test func ownNamesAreComparedTheSameWay() {
        var redactor = Redactor(headers: [], parameters: ["Shoe_Size"])
        for name in ["shoeSize", "shoe-size", "SHOE_SIZE"] { #expect(redactor.isSecret(name)) }
        #expect(!redactor.isSecret("shoe"))
        redactor.parameters = ["HatSize"]
        #expect(redactor.isSecret("hat_size"))
        #expect(!redactor.isSecret("shoeSize"))
        #expect(redactor.adding(parameters: ["Glove-Size"]).isSecret("gloveSize"))
    }
}

extension Redactor {
    /// As the redactor's names are handed to the reader of bodies.
    fileprivate var errorOptions: JSONDocument.Options { .init(maskedKeys: parameters) }
}
