import Foundation
import Tarmac
import TarmacTransfer
import TarmacTesting
import Testing

/// A ledger whose store does not answer holds no call longer than the call's own deadline.
@Suite("A transfer store that hangs", .timeLimit(.minutes(5)))
struct HungTransferStoreTests {
    enum Operation: CaseIterable { case record, save, remove }

    /// Answers all operations but one, which waits for ``open()``.
    private final class Store: TransferStore {
        private let hung: Operation
        private let memory = MemoryTransferStore()
        let waiting = Watched(0)
        let isOpen = Watched(false)
        init(_ hung: Operation) { self.hung = hung }

        private func pass(_ operation: Operation) async throws {
            guard operation == hung else { return }
            waiting.update { $0 += 1 }
            try await isOpen.wait { $0 }
        }
        func record(for key: String) async throws -> Data? {
            try await pass(.record)
            return try await memory.record(for: key)
        }
        func save(_ record: Data, for key: String) async throws {
            try await pass(.save)
            try await memory.save(record, for: key)
        }
        func remove(_ key: String) async throws {
            try await pass(.remove)
            try await memory.remove(key)
        }
        func keys() async throws -> [String] { try await memory.keys() }
    }

    private func client(_ store: Store, _ time: ManualTime) -> Client {
        let file = StubFile(noise(5000))
        return Client(transport: .stub(StubTransport { file.answer($0) }), services: [Service("s", host: "https://s.example")], time: time) {
            ($0.transferLedger, $0.deadline) = (TransferLedger(store), .seconds(5))
        }
    }

    @Test(arguments: Operation.allCases)
    func aDownloadEndsAtItsDeadline(operation: Operation) async throws {
        let store = Store(operation), time = ManualTime()
        defer { store.isOpen.update { $0 = true } }
        try await withFolder { folder in
            let client = client(store, time)
            async let end = failure { try await client.send(Download(.get("/f"), to: "\(folder)/f")) }
            try await store.waiting.wait { $0 == 1 }
            time.advance(by: .seconds(5))
            #expect(await end?.code == .deadlineExceeded)
        }
    }

    @Test(arguments: Operation.allCases)
    func aDownloadEndsWhenItIsCancelled(operation: Operation) async throws {
        let store = Store(operation)
        defer { store.isOpen.update { $0 = true } }
        try await withFolder { folder in
            let client = client(store, ManualTime())
            let call = Task { try await client.send(Download(.get("/f"), to: "\(folder)/f")) }
            try await store.waiting.wait { $0 == 1 }
            call.cancel()
            _ = await call.result
        }
    }

    /// Each call would leave a task behind.
    @Test func aStoreThatHasNotAnsweredForLongIsAskedNothing() async throws {
        let store = Store(.record), time = ManualTime()
        defer { store.isOpen.update { $0 = true } }
        try await withFolder { folder in
            let client = client(store, time)
            async let first = failure { try await client.send(Download(.get("/f"), to: "\(folder)/f")) }
            try await store.waiting.wait { $0 == 1 }
            time.advance(by: .seconds(30))
            #expect(await first?.code == .deadlineExceeded)
            for number in 1...3 {
                let error = await failure { try await client.send(Download(.get("/f"), to: "\(folder)/\(number)")) }
                #expect(error?.code == .storeFailed)
            }
            #expect(store.waiting.value == 1)
        }
    }
}
