import HTTPSemantics
import PosterCodec

/// The quality that a picture gets, and whether the wish to save data could have changed it.
struct PictureQuality {
    /// 1...100; nil for the format's own.
    let quality: Int?
    let variance: Variance

    /// - Throws: ``Problem``.
    init(
        _ parameters: PictureParameters, hints: ClientHints, format: PictureFormat, policy: PicturePolicy
    ) throws(Problem) {
        self.init(try parameters.quality(), hints: hints, format: format, policy: policy)
    }

    /// - Parameter named: What the URL says.
    init(_ named: Int?, hints: ClientHints, format: PictureFormat, policy: PicturePolicy) {
        // PNG loses nothing, but who says so in the URL has decided that already.
        let isOpen = named == nil && policy.usesHints && (format.variance == .accept || format.format != .png)
        self.quality = isOpen && hints.savesData && format.format != .png ? ClientHints.savingQuality : named
        self.variance = isOpen ? .saveData : []
    }
}
