import PosterCodec

/// `imageSize`: the box of a picture, which is never enlarged.
enum RPDBImageSize: String, CaseIterable {
    /// Of backdrops only.
    case small
    case medium
    case large
    case verylarge
    case veryLarge = "very-large"

    /// The box in pixels.
    ///
    /// - Returns: `nil` if pictures of this kind do not have the size.
    func box(of kind: RPDBPictureKind) -> (width: Int, height: Int)? {
        switch (kind, self) {
        case (.poster, .medium), (.textless, .medium): (580, 859)
        case (.poster, .large), (.textless, .large): (1280, 1896)
        case (.poster, .verylarge), (.poster, .veryLarge), (.textless, .verylarge), (.textless, .veryLarge):
            (2000, 2962)
        case (.backdrop, .small): (1280, 720)
        case (.backdrop, .medium): (1920, 1080)
        case (.backdrop, .large), (.backdrop, .verylarge), (.backdrop, .veryLarge): (3840, 2160)
        case (.logo, .medium): (780, 244)
        case (.logo, .large): (1722, 539)
        case (.logo, .verylarge), (.logo, .veryLarge): (2689, 841)
        case (.poster, .small), (.textless, .small), (.logo, .small): nil
        }
    }

    /// The sizes of pictures of a kind, for error messages.
    static func forms(of kind: RPDBPictureKind) -> String {
        Self.allCases.filter { $0.box(of: kind) != nil }.map(\.rawValue).joined(separator: ", ")
    }
}
