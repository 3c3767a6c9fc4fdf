import Foundation
import Tarmac
import TarmacJSON
import TarmacFormats
import TarmacURLSession
import TarmacXML

// page: xmlrpc
struct StateName: Endpoint {
    typealias Value = XMLTree
    static let route: Route = .post("/RPC2")
    var number: Int
    func body() throws -> Body? {
        .xml("<methodCall><methodName>state</methodName><params><param><value><int>\(number)</int></value></param></params></methodCall>")
    }
}

func stateName(_ client: Client) async throws -> String {
    let answer = try await client.send(StateName(number: 41))
    return try answer.required("params", "param", "value", "string").text
}
// page end

// page: snake
let snake = Service("snake", host: "https://api.shop.example") {
    var decoder = TarmacJSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    $0.decoder = .json(decoder)
    var encoder = TarmacJSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    $0.encoder = .json(encoder)
}
// page end

// page: empty
struct DeleteOrder: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .delete("/orders/{id}")
    var id: Int
}

func delete(_ client: Client) async throws {
    try await client.send(DeleteOrder(id: 41))
    try await client.delete("/orders/{id}", ["id": 42])
}
// page end

// page: html
func feed(_ client: Client) async throws -> [Product] {
    do {
        return try await client.send(Feed())
    } catch let error as TarmacError where error.code == .unacceptableContentType {
        print(error.response?.headers[.contentType] ?? "", String(decoding: error.response?.body ?? .empty, as: UTF8.self))
        throw error
    }
}

let mislabeled = Service("mislabeled", host: "https://api.shop.example") { $0.acceptableContentTypes = .lenientJSON }
// page end

func raw(_ client: Client) async throws {
    let title = try await client.get("/products/1", as: JSON.self)["offer"]["title"].string
    let text = try await client.get("/readme", as: String.self)
    let data = try await client.get("/logo.png", as: Data.self)
    print(title ?? "", text.count, data.count)
}

// page: missing
func userIfAny(_ client: Client, id: Int) async throws -> User? {
    do {
        return try await client.send(GetUser(id: id))
    } catch let error as TarmacError where error.status == .notFound {
        return nil
    }
}
// page end

// page: envelope
let enveloped = Service("enveloped", host: "https://api.shop.example") {
    $0.envelope = Envelope(
        success: { $0["code"] == 0 }, code: "code", message: "message", payload: "data", expired: [40101], retryable: [50003])
}

func unwrapped(_ client: Client) async throws -> User {
    try await client[enveloped].get("/users/7", as: User.self)
}
// page end
