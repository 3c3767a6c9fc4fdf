#if Tools
import Tarmac

/// What `--explain` prints (pure): the settings that have something to say.
enum ExplanationText {
    static func text(_ explanation: Explanation) -> String {
        let settings = explanation.settings.filter { !$0.value.isEmpty }
        return ([explanation.request] + settings.map { "  \($0)" }).joined(separator: "\n")
    }
}
#endif
