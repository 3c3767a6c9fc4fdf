extension EncodingContext {
    /// Where everything stood before a member, element or single value was begun.
    struct Checkpoint {
        let text: Int
        let depth: Int
        let marks: Int
        let frames: Int
        let removals: Int

        @inline(__always)
        init(_ context: EncodingContext) {
            text = context.output.count
            depth = context.levels.count
            marks = context.marks.count
            frames = context.frames.count
            removals = context.removals
        }
    }

    /// Takes back the member or element that was begun; the error that made it so.
    @inline(never)
    func rolledBack(to checkpoint: Checkpoint, _ error: any Error) -> any Error {
        let container = checkpoint.depth - 1
        takeBack(checkpoint, container)
        levels[container].count -= 1
        // Nothing is being written there now, so nothing may read its key.
        levels[container].current = EncodingLevel.Mark(start: 0, keyLength: 0)
        levels[container].key = nil
        levels[container].stepCount = -1
        return error
    }

    /// Takes back what was written of a value, which may be encoded as another one then.
    @inline(never)
    func rolledBack(toValueAt checkpoint: Checkpoint, _ error: any Error) -> any Error {
        takeBack(checkpoint, checkpoint.depth - 1)
        return error
    }

    private func takeBack(_ checkpoint: Checkpoint, _ container: Int) {
        while levels.count > checkpoint.depth {
            forgetNames(of: levels.count - 1)
            levels.removeLast()
        }
        marks.removeLast(marks.count - checkpoint.marks)
        frames.removeLast(frames.count - checkpoint.frames)
        output.truncate(to: checkpoint.text)
        while removals > checkpoint.removals {
            removals -= 1
            let mark = replaced.removeLast()
            // The others were members of what is gone.
            if mark < checkpoint.marks { keepAfterAll(mark, at: container) }
        }
    }
}
