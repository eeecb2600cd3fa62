import PosterCodec

/// `imageSize`: the box of a picture, which is never enlarged.
enum RPDBImageSize: String, CaseIterable {
    /// The smallest size of backdrops; other pictures have ``medium``.
    case small
    case medium
    case large
    case verylarge
    case veryLarge = "very-large"

    /// The box in pixels.
    func box(of kind: RPDBPictureKind) -> (width: Int, height: Int) {
        switch (kind, self) {
        case (.poster, .small), (.textless, .small), (.poster, .medium), (.textless, .medium): (580, 859)
        case (.poster, .large), (.textless, .large): (1280, 1896)
        case (.poster, .verylarge), (.poster, .veryLarge), (.textless, .verylarge), (.textless, .veryLarge):
            (2000, 2962)
        case (.backdrop, .small): (1280, 720)
        case (.backdrop, .medium): (1920, 1080)
        case (.backdrop, .large), (.backdrop, .verylarge), (.backdrop, .veryLarge): (3840, 2160)
        case (.logo, .small), (.logo, .medium): (780, 244)
        case (.logo, .large): (1722, 539)
        case (.logo, .verylarge), (.logo, .veryLarge): (2689, 841)
        }
    }
}
