/// What one poster cost and how large it came out.
struct Rendering {
    var times = StageTimes<UInt64>()
    /// The poster's size in pixels.
    var width = 0
    var height = 0
    /// The encoded poster's size.
    var outputBytes = 0
}
