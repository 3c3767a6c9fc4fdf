#if Tools
import Tarmac

/// The text of `--explain` (pure): the settings that a layer sets.
enum ExplanationText {
    static func text(_ explanation: Explanation) -> String {
        let settings = explanation.settings.filter { !$0.value.isEmpty }
        return ([explanation.request] + settings.map { "  \($0)" }).joined(separator: "\n")
    }
}
#endif
