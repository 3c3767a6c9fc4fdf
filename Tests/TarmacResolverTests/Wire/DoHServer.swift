#if Tools
import Foundation
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import TarmacResolver
import TarmacTesting

/// A DNS server over plain HTTP on this machine, with the addresses of `shop.example`.
struct DoHServer: Sendable {
    let server: MockServer
    /// The addresses now, as texts.
    let addresses: Watched<[String]>

    /// The server refuses or leaves questions for IPv6 addresses, or answers those for IPv4 addresses late.
    enum Fault { case none, refuses, isSilent, isLate(Watched<Bool>) }

    /// - Parameters:
    ///   - life: the life of the answers in seconds.
    ///   - age: the seconds that they have spent in caches.
    static func run(
        _ addresses: [String], life: UInt32 = 60, age: Int = 0, status: HTTPResponse.Status = .ok, fault: Fault = .none,
        _ body: (DoHServer) async throws -> Void
    ) async throws {
        let known = Watched(addresses), end = Watched(false)
        let answer = Self.answer(known, life: life, age: age, status: status, fault: fault, end: end)
        try await MockServer.run(.get("/dns-query", answer), .post("/dns-query", answer)) { server in
            defer { end.update { $0 = true } }
            try await body(DoHServer(server: server, addresses: known))
        }
    }

    /// - Parameter end: ends the questions that the server leaves.
    static func answer(
        _ addresses: Watched<[String]>, life: UInt32 = 60, age: Int = 0, status: HTTPResponse.Status = .ok, fault: Fault = .none,
        end: Watched<Bool> = Watched(false)
    ) -> StubRoute.Answer {
        { request in
            let question = try Self.question(request)
            guard let (name, kind) = Self.parts(question) else { return .status(.badRequest) }
            switch (fault, kind) {
            case (.refuses, .ipv6): return .status(.badGateway)
            case (.isSilent, .ipv6): try await end.wait { $0 }
            case (.isLate(let gate), .ipv4): try await gate.wait { $0 }
            default: break
            }
            let isKnown = name == "shop.example", records = isKnown ? addresses.value.filter { $0.contains(":") == (kind == .ipv6) } : []
            let message = DNSMessage(
                name: name, kind: kind, flags: isKnown ? 0x8180 : 0x8183, records: records.map { DNSMessage.address($0, life: life) },
                authorities: isKnown ? [] : [DNSMessage.zone(life: 60, minimum: 60)])
            return .bytes(Bytes(message.bytes), contentType: "application/dns-message", status: status, headers: [.age: "\(age)"])
        }
    }

    func resolver(asksByGET: Bool = true) -> ConnectionSettings.ResolverSetting {
        .https("\(server.url)dns-query\(asksByGET ? "{?dns}" : "")", at: [])
    }

    var questions: Int { server.requests.count }

    private static func question(_ request: Request) throws -> [UInt8] {
        if case .bytes(let bytes) = request.body.content { return bytes.array }
        let text = (request.url.query ?? "").replacing("dns=", with: "").replacing("-", with: "+").replacing("_", with: "/")
        let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Array(Data(base64Encoded: padded) ?? Data())
    }

    private static func parts(_ question: [UInt8]) -> (name: String, kind: DNSQuestion.Kind)? {
        var labels: [String] = [], place = 12
        while place < question.count, question[place] > 0 {
            let end = place + 1 + Int(question[place])
            guard end <= question.count else { return nil }
            labels.append(String(decoding: question[place + 1..<end], as: UTF8.self))
            place = end
        }
        guard place + 2 < question.count else { return nil }
        return DNSQuestion.Kind(rawValue: UInt16(question[place + 2])).map { (labels.joined(separator: "."), $0) }
    }
}
#endif
