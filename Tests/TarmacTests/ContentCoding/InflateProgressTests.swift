import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

/// What the statuses of the Compression framework mean; the framework itself is not there to be tested on Linux.
@Suite struct InflateProgressTests {
    typealias Status = InflateProgress.Status

    @Test(arguments: [(0, Status.goesOn), (1, .ended), (-1, .failed), (7, .failed)] as [(Int32, Status)])
    func statusesAreThoseOfTheFramework(number: Int32, status: Status) {
        #expect(Status(number: number) == status)
    }

    @Test func aBodyThatEndedIsWhole() throws {
        var progress = InflateProgress(.brotli)
        try progress.note(.goesOn, input: 10)
        #expect(!progress.isAtEnd)
        try progress.note(.ended, input: 0)
        #expect(progress.isAtEnd)
        try progress.finish()
    }

    @Test func aBodyThatStopsInTheMiddleIsTruncated() throws {
        var progress = InflateProgress(.brotli)
        try progress.note(.goesOn, input: 10)
        try progress.note(.goesOn, input: 0)
        let error = #expect(throws: TarmacError.self) { try progress.finish() }
        #expect(error?.code == .undecodableContent)
        #expect(error?.reason.contains("stops in the middle") == true)
    }

    @Test func anEmptyBodyIsWhole() throws {
        var progress = InflateProgress(.brotli)
        try progress.finish()
        try progress.note(.goesOn, input: 0)
        try progress.finish()
    }

    @Test func aFailureIsDamage() {
        var progress = InflateProgress(.brotli)
        let error = #expect(throws: TarmacError.self) { try progress.note(.failed, input: 10) }
        #expect(error?.code == .undecodableContent)
        #expect(error?.reason.contains("damaged") == true)
    }
}
