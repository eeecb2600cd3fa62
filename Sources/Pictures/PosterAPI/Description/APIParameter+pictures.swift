package import OpenAPI
import PosterCodec
import PosterPipeline

extension APIParameter {
    package static let posterID = APIParameter.path(
        "id", .posterID,
        "The poster, as [source:]key; without a source, a film of the embedded catalogue. The key is percent-encoded "
            + "once, a / in it is %2F; it has at most \(PosterID.maxKeyLength) bytes.")

    /// The parameters that select one of a film's posters.
    static let selection: [APIParameter] = [.posterLanguage, .textless]

    package static let posterLanguage = APIParameter.query(
        "language", .string(2...35, pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$").example("ja"),
        "Language of the poster, if the film's source has posters in several. The default, also for languages "
            + "without a poster, is the server's --language.")

    package static let textless = APIParameter.query(
        "textless", .boolean.by(default: false),
        "true: the poster without text if the film's source marks one, otherwise the one selected by language.")

    /// The parameters that select a variant.
    static let rendition: [APIParameter] = [
        .query(
            "w", Self.side,
            "Width of the box in pixels; the limits also apply to w times dpr. Pictures are never enlarged."),
        .query("h", Self.side, "Height of the box in pixels; the limits also apply to h times dpr."),
        .query(
            "fit", .choice(RenderTarget.Fit.allCases.map(\.rawValue)).by(default: "contain"),
            "contain: the whole picture fits in the box; cover: the picture fills the box and is cropped."),
        .query(
            "position", .choice(RenderTarget.Position.allCases.map(\.rawValue)).by(default: "center"),
            "The part of the picture that a crop keeps."),
        .query(
            "dpr", .string(pattern: "^([1-3](\\.[0-9]{1,3})?|4(\\.0{1,3})?)$").by(default: "1"),
            "Multiplies w and h: 1 to 4, at most three decimals."),
        Self.format,
        .query("q", .integer(1...100), "Quality; ignored for PNG. The default is the encoder's."),
        .query(
            "bg", .string(pattern: "^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$").by(default: "ffffff"),
            "Background of transparent pixels where the format has no alpha."),
    ]

    package static let format = APIParameter.query(
        "format", .choice(["auto"] + OutputFormat.allCases.map(\.rawValue)).by(default: "auto"),
        "auto: AVIF once it is encoded, or WebP, if Accept lists the format; otherwise JPEG.")

    private static let side = APISchema.integer(PictureRequest.sides)
}

extension APISchema {
    /// `[source:]key`. Its limits are in bytes of UTF-8, but a schema can only count characters.
    package static let posterID = APISchema.string(
        1...(PosterID.maxKeyLength + 33),
        pattern: "^([a-z][a-z0-9-]{0,31}:[^\\u0000-\\u001f\\u007f-\\u009f]{1,\(PosterID.maxKeyLength)}"
            + "|[^:\\u0000-\\u001f\\u007f-\\u009f]{1,\(PosterID.maxKeyLength)})$"
    ).example("nosferatu-1922")
}
