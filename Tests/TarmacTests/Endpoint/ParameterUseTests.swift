import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

/// What happens to parameters between the call site and the wire.
@Suite struct ParameterUseTests {
    private let service = Service("shop", host: "https://api.shop.example")

    @Test(arguments: ["/a/{bad}", "/a", "/a{?bad}"])
    func aLiteralThatCannotBeEncodedIsNamedAndNothingIsSent(template: String) async {
        let stub = StubTransport { _ in .status(.ok) }
        let client = Client(transport: .stub(stub), services: [service])
        let error = await #expect(throws: TarmacError.self) {
            try await client.send(.get(template, ["bad": Double.nan], as: Void.self))
        }
        #expect(error?.code == .invalidParameter)
        #expect(error?.path == "bad")
        #expect(stub.requests.isEmpty)
    }

    @Test(arguments: ["inner_pin", "密码", "pass word", "a[b]", "user.pin"])
    func aSecretInsideAnObjectIsMaskedInErrors(name: String) async {
        let stub = StubTransport { _ in .status(.notFound) }
        let client = Client(transport: .stub(stub), services: [service])
        let error = await #expect(throws: TarmacError.self) {
            try await client.send(.get("/a", ["o": [name: Secret(wrappedValue: "hunter2")]], as: Void.self))
        }
        #expect(error?.code == .unacceptableStatus)
        #expect(stub.requests.first?.url.query?.contains("hunter2") == true)
        #expect(error.map { !"\($0)".contains("hunter2") } == true)
    }
}
