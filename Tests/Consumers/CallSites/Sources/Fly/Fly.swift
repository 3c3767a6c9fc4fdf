import MainActorDefault
import Nonsending
import Plain
import Tarmac
import TarmacTesting

@main
struct Fly {
    static func main() async throws {
        let payloads = [
            "/users/7": #"{"id":7,"name":"ann"}"#, "/users/8": #"{"id":8,"name":"bob"}"#, "/regeo": "{}",
            "/products": #"[{"title":"wing"}]"#, "/login": #"{"token":"t"}"#,
        ]
        let stub = StubTransport { request in .json(#"{"status":1,"data":\#(payloads[request.url.path] ?? "null")}"#) }
        let client = Client(transport: .stub(stub), services: [.init("shop", host: "https://api.shop.example")])
        let expected = ["7 7 7 ann true", "ann", "bob", "delegate", "login", "place", "wing"]
        for (module, board) in [
            ("Plain", try await Plain.fly(client)), ("MainActorDefault", try await MainActorDefault.fly(client)),
            ("Nonsending", try await Nonsending.fly(client)),
        ] {
            guard board == expected else { throw Unexpected(module: module, board: board) }
            print("\(module): all call sites landed")
        }
        await client.shutdown()
    }

    struct Unexpected: Error {
        let module: String
        let board: [String]
    }
}
