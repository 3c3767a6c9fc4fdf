#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
public import TarmacCore
import TarmacTransfer

/// A list of downloads and uploads that the app wants, kept over relaunch and kill.
///
/// ```swift
/// enum Media: Codable, Sendable {
///     case film(Int)
///     case photo(String)
/// }
/// let queue = TransferQueue<Media>(client: background, folder: "\(support)/queue") { media in
///     switch media {
///     case .film(let id): Download(Film(id: id), to: "\(films)/\(id).mp4")
///     case .photo(let path): Upload(try .file(path), to: PostPhoto())
///     }
/// } landed: { media in
///     await library.note(media)
/// }
/// try await queue.add(.film(7), id: "film 7", priority: .high, when: [.unmetered, .power])
/// ```
/// The queue stores the app's value, and makes the transfer of it in each launch. It starts by itself, unless it was paused.
///
/// - **Order.** By priority, then by age. A running transfer is not stopped for another. After a relaunch, those that ran are
///   continued first.
/// - **Once.** A transfer is in its file before ``add(_:id:priority:when:)`` returns, and until `landed` has returned. An upload is
///   sent with one `Idempotency-Key` for all attempts, so a server that knows it acts once. If the process is killed between, `landed`
///   runs again.
/// - **Owner.** A transfer belongs to the environment, the principal and the account of the client when it was added. It waits while
///   another account or no account is logged in, and goes on when its own logs in again. Any account sends one that was added without a
///   login. An endpoint that sets a principal or an authenticator of its own is sent as that says.
/// - **Failures.** One that may pass (``TarmacError/isTransient``) is tried again after pauses from 1 s to 5 min, as long as it takes, and
///   at once with a new network. So is a missing login, at once with a log-in, and an answer that may be of a captive portal, such as a page
///   in place of the server's answer to an upload. After any other the transfer waits for ``resume(_:)``, and the others go on.
///   A damaged record is moved aside, which a warning among the client's events reports.
/// - **Stopping.** A download that is stopped keeps its bytes if the client has a ledger (`Options.transferLedger`). An upload begins
///   again.
/// - **Background.** With a client over `.backgroundURLSession`, the system itself waits for the network, and the time limits of a
///   call do not apply. Power is watched only while the app runs.
///
/// Keep the queue as long as transfers are to run: when it is released, they are cancelled and stay stored.
public final class TransferQueue<Item: Codable & Sendable>: Sendable {
    private let core: TransferQueueCore
    private let tasks: [Task<Void, Never>]

    /// Creates a queue, and continues the transfers of the launch before.
    ///
    /// - Parameters:
    ///   - client: The client of the transfers.
    ///   - folder: The folder of the queue alone, for one process at a time. It is created if it is missing; its parent folder must exist.
    ///     Not in the container of an app group: its lock would be held while the app is suspended.
    ///   - atOnce: The largest number of transfers that run at a time; at least 1. Default: 4.
    ///   - conditions: The conditions that hold, now and after each change. Default: those of the system. Linux reports none, so all hold there.
    ///     Only iOS and visionOS report power, for which the queue turns on
    ///     `isBatteryMonitoringEnabled`; elsewhere it counts as there.
    ///   - transfer: Makes the transfer of a value. An error of its own that is no `TarmacError` fails the transfer.
    ///   - landed: Runs after a transfer, before it leaves the queue. An error is a failure of the transfer. Default: nothing.
    public init(
        client: Client, folder: String, atOnce: Int = 4, conditions: AsyncStream<TransferConditions>? = nil,
        transfer: @escaping @Sendable (Item) async throws -> any PausableWork, landed: @escaping @Sendable (Item) async throws -> Void = { _ in }
    ) {
        let runner = TransferQueueRunner(client: client, transfer: transfer, landed: landed)
        let core = TransferQueueCore(
            folder: folder, limit: atOnce, engine: client.engine, transportWaits: { runner.capabilities.contains([.outlivesProcess, .networkAccess]) },
            run: runner.run, discard: runner.discard, report: runner.report)
        self.core = core
        let signals = core.signals, logins = client.engine.scope.state(LoginWatch.self).changes(), conditions = conditions ?? TransferConditions.system()
        tasks = [
            // LIFETIME: they are cancelled with the queue.
            Task.detached { for await holding in conditions { core.note(holding) } },
            Task.detached { for await _ in logins { core.noteLogin() } },
            Task.detached { for await _ in signals { await core.turn() } },
        ]
    }

    deinit {
        for task in tasks { task.cancel() }
        // LIFETIME: ends when the transfers are told to stop.
        Task.detached { [core] in await core.stop() }
    }

    /// Adds a transfer. If the queue has the ID, the transfer gets the priority and the conditions, keeps its value, and is tried again if it
    /// had failed.
    ///
    /// It reads the logins of the client's services, perhaps from their token stores.
    ///
    /// - Parameters:
    ///   - item: The value that `transfer` makes the transfer of.
    ///   - id: The app's own ID.
    ///   - priority: The priority in the queue, and of its calls.
    ///   - conditions: The conditions besides a network. Default: none.
    /// - Throws: `TarmacError` with `.storeFailed`, `.invalidParameter` for a value that cannot be encoded, the ID of another account's
    ///   transfer or the 10,001st transfer; `.tokenStoreFailed` when a login cannot be read; `.clientShutDown`.
    public func add(_ item: Item, id: String, priority: CallPriority = .normal, when conditions: TransferConditions = []) async throws {
        let content: Data
        do { content = try JSONEncoder().encode(item) } catch {
            throw TarmacError(.invalidParameter, "the value of the transfer \"\(id)\" cannot be encoded", cause: error)
        }
        let owner = try await TransferQueueOwner.now(core.engine)
        try await core.add(String(decoding: content, as: UTF8.self), id: id, owner: owner, priority: priority, conditions: conditions)
    }

    /// Removes a transfer, and cancels it if it runs. The bytes of a download that are in a partial file are removed with it, or when it has
    /// ended. Does nothing if the queue does not have it.
    public func remove(_ id: String) async throws {
        if let record = try await core.remove(id) { await core.discard(record) }
    }

    /// Stops a transfer until ``resume(_:)``, also after a relaunch.
    ///
    /// - Parameter id: The transfer. Default: `nil`, the whole queue.
    public func pause(_ id: String? = nil) async throws { try await core.pause(id) }

    /// Continues a transfer after ``pause(_:)`` or a failure, or tries one that waits for another attempt at once.
    ///
    /// - Parameter id: The transfer. Default: `nil`, the whole queue. Transfers that were paused by their IDs stay so.
    public func resume(_ id: String? = nil) async throws { try await core.resume(id) }

    /// The transfers, in the order of the queue.
    public var entries: [TransferQueueEntry] {
        get async throws { try await core.entries() }
    }

    /// Returns the transfers, now and after each change. A slow reader gets the latest state.
    public func changes() -> AsyncStream<[TransferQueueEntry]> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            // LIFETIME: ends at once.
            Task { [core] in await core.observe(continuation) }
        }
    }
}
