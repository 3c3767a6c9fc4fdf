#if Tools
import Foundation
@_spi(TarmacRooms) import TarmacCore

/// Requests at fixed times, whether or not earlier ones have ended.
///
/// A latency counts from the time at which the request was due, so that a client that stalls is charged with all requests that were due
/// meanwhile.
struct OpenLoop: Sendable {
    /// Requests a second.
    let rate: Double
    let seconds: Double

    /// The seconds before the first request that counts: connections are opened then.
    static let warmUp = 2.0

    func run(_ call: @escaping @Sendable () async throws -> Void) async -> LatencySample {
        let sample = Locked(LatencySample())
        await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
            // A thread of its own keeps the times also while the tasks' threads are busy.
            Thread.detachNewThread {
                let flying = DispatchGroup()
                pace { due, counts in
                    flying.enter()
                    // LIFETIME: ends with its call; the group waits for it.
                    Task {
                        let isSound: Bool
                        do {
                            try await call()
                            isSound = true
                        } catch { isSound = false }
                        let micros = Int((DispatchTime.now().uptimeNanoseconds - due) / 1_000)
                        if counts { sample.withLock { $0.add(micros, isSound: isSound) } }
                        flying.leave()
                    }
                }
                flying.notify(queue: .global()) { ended.resume() }
            }
        }
        return sample.withLock { $0 }
    }

    private func pace(_ start: (_ due: UInt64, _ counts: Bool) -> Void) {
        let first = DispatchTime.now().uptimeNanoseconds + 1_000_000
        let warm = Int(rate * Self.warmUp)
        for index in 0..<(warm + Int(rate * seconds)) {
            let due = first + UInt64(Double(index) * 1e9 / rate)
            let now = DispatchTime.now().uptimeNanoseconds
            if due > now { Thread.sleep(forTimeInterval: Double(due - now) / 1e9) }
            start(due, index >= warm)
        }
    }
}

/// The latencies of one round, as a child process prints them.
struct LatencySample: Codable, Sendable {
    var micros: [Int] = []
    var failures = 0

    mutating func add(_ latency: Int, isSound: Bool) {
        micros.append(latency)
        if !isSound { failures += 1 }
    }

    /// The latency that a part of the requests did not exceed, in microseconds. Each latency is kept: a histogram would round the few that
    /// the last percentile is made of.
    func percentile(_ part: Double) -> Double {
        let sorted = micros.sorted()
        guard !sorted.isEmpty else { return .nan }
        return Double(sorted[min(max(Int((Double(sorted.count) * part).rounded(.up)) - 1, 0), sorted.count - 1)])
    }
}
#endif
