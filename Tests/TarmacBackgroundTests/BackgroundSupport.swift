import Foundation
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting

/// A folder of its own, gone with the body.
func withFolder<Value>(isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
}

func names(_ folder: String) -> [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

func content(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map { [UInt8]($0) } }

/// Bytes that repeat nowhere in short.
func noise(_ count: Int, seed: UInt64 = 7) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return generator.bytes(count)
}

extension Client {
    /// A client with one service on `https://s.example`.
    init(_ stub: StubTransport, time: any TimeSource = .system, seed: UInt64 = 1, configure: (inout Options) -> Void = { _ in }) {
        self.init(
            transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time, randomness: SeededGenerator(seed: seed),
            configure: configure)
    }
}

extension TransportCapabilities {
    /// Those of a background session.
    static let background: TransportCapabilities = .everything.union([.networkAccess, .outlivesProcess])
}
