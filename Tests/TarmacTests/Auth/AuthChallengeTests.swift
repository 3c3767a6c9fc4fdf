import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth

@Suite("Challenges")
struct AuthChallengeTests {
    // RFC 9110 §11.6.1: its own example, and what servers send.
    @Test(arguments: [
        (
            [#"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#],
            ["basic realm=simple", #"newauth realm=apps title=Login to "apps" type=1"#]
        ),
        (["Negotiate, NTLM"], ["negotiate", "ntlm"]),
        (["Negotiate YII=, Basic realm=x"], ["negotiate 68:YII=", "basic realm=x"]),
        (["Bearer"], ["bearer"]),
        ([#", ,Bearer realm="a,b" ,, error = "invalid_token" ,"#], ["bearer error=invalid_token realm=a,b"]),
        ([#"BASIC Realm="A", realm="B""#], ["basic realm=A"]),
        ([#"Basic realm="open"#], ["basic"]),
        ([#"Basic realm="a" x, Digest nonce=1"#, "Digest nonce=2"], ["basic", "digest nonce=2"]),
        (["", " ", ",", "=", "\""], []),
        ([#"Digest realm="", nonce="é""#], ["digest nonce=é realm="]),
        (["Bearer abc"], ["bearer 68:abc"]),
    ])
    func oneFieldMayHoldSeveral(fields: [String], expected: [String]) {
        let shown = AuthChallenge.parse(fields).map { challenge in
            ([challenge.scheme] + (challenge.token68.map { ["68:\($0)"] } ?? [])
                + challenge.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
                .joined(separator: " ")
        }
        #expect(shown == expected)
    }

    @Test func anyTextIsReadToAnEnd() {
        var generator = SeededGenerator(seed: 9)
        let alphabet = Array(#"Basic Digest=",\ realm nonce=68/+~é"#)
        for _ in 0..<5_000 {
            let text = String((0..<Int.random(in: 0...60, using: &generator)).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] })
            _ = AuthChallenge.parse([text])
        }
        #expect(AuthChallenge.parse([String(repeating: "a,", count: 100_000)]).count <= 64)
    }
}
