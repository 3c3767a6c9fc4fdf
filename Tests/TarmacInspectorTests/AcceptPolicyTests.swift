#if Inspector
import Foundation
import Testing

@testable import TarmacInspector

/// A failure of `accept` that passes does not end the inspector.
struct AcceptPolicyTests {
    @Test(arguments: [EMFILE, ENFILE, ECONNABORTED, ENOBUFS, ENOMEM, EPROTO, EINTR, EPERM, ENETDOWN, EHOSTUNREACH])
    func aFailureThatPassesIsAPause(_ number: Int32) {
        var policy = AcceptPolicy()
        let pauses = (0..<AcceptPolicy.most).compactMap { _ in policy.pause(after: number) }
        #expect(pauses.count == AcceptPolicy.most && pauses == pauses.sorted())
        #expect(pauses.first.map { $0 > .zero } == true && pauses.last == AcceptPolicy.longest)
        #expect(pauses.reduce(.zero, +) > .seconds(900))
        let afterTheLast = policy.pause(after: number)
        #expect(afterTheLast == nil)
        policy.accepted()
        let afterASuccess = policy.pause(after: number)
        #expect(afterASuccess == pauses.first)
    }

    /// `nil` is a cancellation, or a pool of sockets that has ended.
    @Test(arguments: [EBADF, ENOTSOCK, nil] as [Int32?]) func aSocketThatIsGoneIsTheEnd(_ number: Int32?) {
        var policy = AcceptPolicy()
        let pause = policy.pause(after: number)
        #expect(pause == nil)
    }
}
#endif
