#if Tools
import HTTPTypes
import Tarmac
import TarmacTesting

/// A hit in the memory of a client while the address has more variants, each in a language that it states.
struct GrowthVariants: GrowthWork {
    /// The number of hits of one unit.
    private static let count = 100

    /// 0: no Vary.
    let sizes: [Int]
    private let field = HTTPField.Name.acceptLanguage
    var name: String { "variants of an address by \(field.canonicalName)\(sizes.count == 2 ? ", one against none" : "")" }
    var unit: String { "\(Self.count) hits" }

    /// A store keeps 64 at most.
    static let rows = [
        GrowthRow(work: GrowthVariants(sizes: [0, 1, 10, 64]), bar: 2), GrowthRow(work: GrowthVariants(sizes: [0, 1]), bar: 1.5),
    ]

    func prepare(size: Int) async throws -> @Sendable () async throws -> Void {
        let field = field
        let stub = StubTransport { request in
            var fields: HTTPFields = [.cacheControl: "max-age=100000"]
            fields[.contentLanguage] = request.headers[field]?.split(separator: ",").first.map(String.init)
            if size > 0 { fields[.vary] = field.rawName }
            return .bytes(Bytes("answer"), headers: fields)
        }
        let shop = Service("shop", hosts: [.production: "https://shop.example"])
        let client = Client(transport: .stub(stub), services: [shop]) { $0.cache = .http }
        let values = (0..<max(size, 1)).map { "d\($0),en;q=0.8" }
        for value in values { _ = try await client.landed(for: .get("/page")) { $0.headers[field.rawName] = value } }
        let last = values[values.count - 1]
        return {
            for _ in 0..<Self.count {
                let landed = try await client.landed(for: .get("/page")) { $0.headers[field.rawName] = last }
                precondition(landed.response.source.isCache, "a hit was expected")
            }
        }
    }
}
#endif
