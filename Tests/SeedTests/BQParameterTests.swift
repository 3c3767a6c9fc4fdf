import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@Suite("BQRequest: parameters of an object", .timeLimit(.minutes(5)))
struct BQParameterTests {
    // BQ-B5: values without names are an error of the call, where a forced label would crash; nothing is sent.
    @Test func valuesWithoutNamesAreRefused() async {
        struct Save: Endpoint, Encodable {
            typealias Value = Void
            static let route: Route = .post("/save")
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                try list.encode(7)
            }
        }
        let stub = StubTransport.user
        let error = await #expect(throws: TarmacError.self) { try await Client(stub).send(Save()) }
        #expect(error?.code == .invalidParameter && stub.requests.isEmpty)
    }
}
