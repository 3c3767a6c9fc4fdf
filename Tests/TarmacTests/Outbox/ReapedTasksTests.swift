import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

struct ReapedTasksTests {
    @Test func hundredThousandWorkersLeaveNothingInTheGroup() async {
        let tasks = ReapedTasks()
        let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        signal.yield()
        await withTaskGroup(of: Void.self) { group in
            var started = 0
            for await _ in signals {
                await tasks.reap(&group)
                for _ in tasks.kept..<min(4, tasks.kept + 100_000 - started) {
                    started += 1
                    tasks.add(to: &group, work: {}, ended: { signal.yield() })
                }
                if started == 100_000 { signal.finish() }
            }
        }
        #expect(tasks.mostKept == 4)
    }
}
