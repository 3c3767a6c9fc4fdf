import Foundation
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

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

/// A transfer that an owner has started, with its handle. Releasing it ends the transfer.
final class Started<Value: Sendable>: LifetimeOwner, Sendable {
    let lifetime = Lifetime()
    let told = Watched<[TransferProgress]>([])
    private let landing = Watched<Result<Value, any Error>?>(nil)
    private let handle = Locked<CallHandle?>(nil)

    init<W: Work>(_ work: W, on client: Client, configure: (inout Options) -> Void = { _ in }) where W.Value == Value, W.WorkProgress == TransferProgress {
        let started = client.startAnywhere(work, owner: self, configure: configure) { owner, progress in
            owner.told.update { $0.append(progress) }
        } landed: { owner, result in
            owner.landing.update { $0 = result }
        }
        handle.withLock { $0 = started }
    }

    var isPaused: Bool { handle.withLock { $0 }?.isPaused ?? false }
    func pause() { handle.withLock { $0 }?.pause() }
    func resume() { handle.withLock { $0 }?.resume() }
    func cancel() { handle.withLock { $0 }?.cancel() }

    var value: Value {
        get async throws {
            guard let result = try await landing.wait(until: { $0 != nil }) else { throw CancellationError() }
            return try result.get()
        }
    }
}
