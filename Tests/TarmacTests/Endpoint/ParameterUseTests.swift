import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON
import TarmacTesting
import Testing

/// What happens to parameters between the call site and the wire.
@Suite struct ParameterUseTests {
    private let service = Service("shop", host: "https://api.shop.example")

    /// A signature over the sorted parameters and a secret; the digest stands in for a real one.
    private static let signing = Transforming { parameters in
        var parameters = parameters
        let sorted = parameters.sorted().map { "\($0.name)=\(text($0.value))" }.joined(separator: "&")
        parameters.set(Parameter("sign", .string("\(sorted)+secret"), isSecret: true))
        return parameters
    }

    private static func text(_ value: ParameterValue) -> String {
        switch value {
        case .string(let text): text
        case .int(let number): "\(number)"
        default: "?"
        }
    }

    private func body(of request: Request) -> Bytes? { if case .bytes(let bytes) = request.body.content { bytes } else { nil } }

    // YTK-27
    @Test func aSignatureOverTheParametersReachesTheWire() async throws {
        let stub = StubTransport { _ in .json("{}") }
        let client = Client(transport: .stub(stub), services: [service]) {
            $0.parameters = ["app": "tarmac"]
            $0.parameterTransforms = [Self.signing]
        }
        try await client.send(.get("/a/{id}", ["id": 7, "b": "x"], as: Void.self))
        try await client.send(.post("/a", ["b": "x"], as: Void.self))
        #expect(stub.requests[0].url.requestTarget.hasPrefix("/a/7?"))
        #expect(stub.requests[0].url.query?.contains("sign=app%3Dtarmac%26b%3Dx%26id%3D7%2Bsecret") == true)
        let sent = try #require(body(of: stub.requests[1]))
        #expect(try JSON(parsing: sent.data)["sign"].string == "app=tarmac&b=x+secret")
    }

    @Test func commonParametersAndTransformsStayWithTheService() async throws {
        let stub = StubTransport { _ in .status(.ok) }
        let client = Client(transport: .stub(stub), services: [service]) {
            $0.parameters = ["token": "hunter2"]
            $0.parameterTransforms = [Self.signing]
            $0.allowsInsecureHTTP = true
        }
        let own = "https://api.shop.example/b", foreign = ["https://other.example/b", "http://api.shop.example/b", "https://api.shop.example:8443/b"]
        for url in [own] + foreign { try await client.send(.get(url, ["n": 1], as: Void.self)) }
        for url in foreign { try await client.send(.post(url, ["n": 1], as: Void.self)) }
        let requests = stub.requests
        #expect(requests[0].url.query?.contains("token=hunter2") == true)
        #expect(requests[0].url.query?.contains("sign=") == true)
        #expect(requests[1...3].map(\.url.query) == ["n=1", "n=1", "n=1"])
        for request in requests[4...] {
            #expect(request.url.query == nil)
            #expect(body(of: request) == Bytes(#"{"n":1}"#))
        }
    }

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
