/// The kind of decode that produced a picture's rows. The same original, target and recipe give the same bytes; another
/// recipe gives other bytes of the same quality.
public enum DecodeRecipe: Hashable, Sendable, CustomStringConvertible {
    /// A decode that suffices for this target alone.
    case own
    /// A decode at this scale that suffices for other targets, too.
    case shared(DecodeScale)

    /// The recipes that a target may have, its own first: at most five.
    public static func possible(for source: ImageHeader, target: RenderTarget) -> [DecodeRecipe] {
        // A target that cannot be framed is never rendered.
        guard let framing = try? Framing(of: source.uprightSize, as: target) else { return [.own] }
        let own = RenderPlan.scale(of: source, framing: framing, target: target)
        // Includes the target's own scale: planes of such a decode may have been retained with less chroma.
        let shared = DecodeScale.shared(for: source).filter { $0 >= own }
        return [.own] + shared.map(DecodeRecipe.shared)
    }

    /// Such as "own" and "shared 8/8".
    public var description: String {
        switch self {
        case .own: "own"
        case .shared(let scale): "shared \(scale)"
        }
    }
}
