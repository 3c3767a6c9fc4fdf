extension EncodingContext {
    /// Arranges the members of the innermost object, which is about to close: without those whose key was repeated, and
    /// sorted if requested.
    ///
    /// The time is that of copying the object's text, once for each object around a member that is out of order.
    @inline(never)
    func arrangeMembers(of level: EncodingLevel) {
        let members = (level.firstMark..<marks.count).map { (text: memberText($0, of: level), mark: marks[$0]) }
        guard let first = members.first?.mark.start else { return }
        let kept = members.filter { !$0.mark.isReplaced }
        let order = layout.sortsKeys ? sorted(kept.map { ($0.text, key(of: $0.mark)) }) : kept.map(\.text)
        guard kept.count < members.count || order != kept.map(\.text) else { return }
        let arranged = OutputBuffer(capacity: output.count - first)
        let separators = TextLayout(output: arranged, options: settings.outputFormatting)
        for (number, range) in order.enumerated() {
            if number > 0 { separators.separate(isFirst: false, level: baseLevel + levels.count) }
            output.withBytes { arranged.append($0.extracting(range)) }
        }
        output.truncate(to: first)
        arranged.withBytes { output.append($0) }
    }

    /// Returns the range of a member, from its key to the end of its value.
    func memberText(_ mark: Int, of level: EncodingLevel) -> Range<Int> {
        let start = marks[mark].start
        guard mark + 1 < marks.count else { return start..<output.count }
        return start..<(marks[mark + 1].start - separatorLength)
    }

    /// The length of the separator in the innermost object: a comma, and a line break with its indentation.
    var separatorLength: Int {
        layout.isPretty ? 2 + 2 * min(baseLevel + levels.count, TextLayout.deepestIndent) : 1
    }

    private func sorted(_ members: [(text: Range<Int>, key: ScalarText)]) -> [Range<Int>] {
        members.sorted { ($0.key, $0.text.lowerBound) < ($1.key, $1.text.lowerBound) }.map(\.text)
    }

    private func key(of mark: EncodingLevel.Mark) -> ScalarText { ScalarText(text(of: mark)) }
}
