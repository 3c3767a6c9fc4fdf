import TarmacSupport
import Testing

@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

struct OpenQuestionsTests {
    private let questions = OpenQuestions(limit: .seconds(2))
    private let start = Moment.now

    @Test func nothingIsAskedWhileTheOldestQuestionIsOpenForTooLong() throws {
        let first = try #require(questions.begin(at: start)), second = try #require(questions.begin(at: start + .seconds(1)))
        #expect(questions.begin(at: start + .seconds(2)) == nil)
        questions.end(first)
        // The second is the oldest now.
        let third = try #require(questions.begin(at: start + .seconds(2)))
        #expect(questions.begin(at: start + .seconds(3)) == nil)
        questions.end(second)
        questions.end(third)
        #expect(questions.isEmpty)
        #expect(questions.begin(at: start + .seconds(100)) != nil)
    }

    /// A store that is asked all the time, and always answers, never counts as one that hangs.
    @Test func overlappingQuestionsAreNoneThatIsOld() throws {
        var last = try #require(questions.begin(at: start))
        for number in 1...1_000 {
            let next = try #require(questions.begin(at: start + .seconds(number)))
            questions.end(last)
            last = next
        }
        #expect(!questions.isEmpty)
    }
}
