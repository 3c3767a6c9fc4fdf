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
        let expected = ["7 7 7 ann true", "7 1 8 2 8 ann bob 1", "ann", "ann", "bob", "bob", "bob", "delegate", "login", "place", "wing"]
        for (module, board) in [
            ("Plain", try await Plain.fly(over: .stub(stub))), ("MainActorDefault", try await MainActorDefault.fly(over: .stub(stub))),
            ("Nonsending", try await Nonsending.fly(over: .stub(stub))),
        ] {
            guard board == expected else { throw Unexpected(module: module, board: board) }
            print("\(module): all call sites landed")
        }
    }

    struct Unexpected: Error {
        let module: String
        let board: [String]
    }
}
