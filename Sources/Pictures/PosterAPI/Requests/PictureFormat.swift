import HTTPSemantics
import PosterCodec

/// The format that a picture gets, and whether `Accept` decided it.
struct PictureFormat {
    let format: OutputFormat
    let variance: Variance

    /// - Parameter negotiated: What the client likes best.
    /// - Throws: ``Problem``.
    init(_ parameters: PictureParameters, negotiated: OutputFormat) throws(Problem) {
        let named = try parameters.value("format", accepted: "auto, jpeg, webp or png") { text in
            text == "auto" ? .some(nil) : OutputFormat(rawValue: text).map(Optional.some)
        }
        if let named, let chosen = named {
            (self.format, self.variance) = (chosen, [])
        } else {
            (self.format, self.variance) = (negotiated, .accept)
        }
    }

    init(negotiated: OutputFormat) {
        (self.format, self.variance) = (negotiated, .accept)
    }
}
